package dev.onejob.attempt;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onejob.contract.Catalog;
import dev.onejob.contract.Operation;
import dev.onejob.contract.RenderRefused;
import dev.onejob.json.JsonLimits;
import dev.onejob.json.StrictJson;
import dev.onejob.provider.Provider;
import java.time.Duration;
import java.util.Optional;

/** Sends as the configuration says. */
public final class CatalogTargets implements Targets {

  private final Catalog catalog;

  public CatalogTargets(Catalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public Optional<Target> find(String operation, String provider) {
    return catalog
        .operation(operation)
        .flatMap(found -> catalog.provider(provider).map(target -> target(found, target)));
  }

  private static Target target(Operation operation, Provider provider) {
    return new Target(
        provider,
        believedFor(operation, provider),
        operation.attempts().heartbeat(),
        input -> render(operation, provider, input));
  }

  /**
   * How long an attempt is believed to be running: silence that would release it makes it UNKNOWN
   * first.
   */
  static Duration believedFor(Operation operation, Provider provider) {
    Duration call = provider.timeouts().call();
    Duration silence = operation.releaseAfterSilence();
    return silence != null && silence.compareTo(call) < 0 ? silence : call;
  }

  private static String render(Operation operation, Provider provider, String input) {
    try {
      return operation.render(
          provider.name(), StrictJson.parse(input.getBytes(UTF_8), JsonLimits.ANSWER));
    } catch (RenderRefused refused) {
      throw new Target.NotRenderable(String.valueOf(refused.getMessage()), refused);
    }
  }
}
