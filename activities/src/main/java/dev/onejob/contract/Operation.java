package dev.onejob.contract;

import dev.onejob.job.Failover;
import dev.onejob.json.StrictJson;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A named contract: what may be asked, how it is asked of a provider, and who may serve it. */
public final class Operation {

  private final OperationSettings settings;

  Operation(OperationSettings settings) {
    this.settings = settings;
  }

  /** Everything an operation's file says. */
  record OperationSettings(
      String name,
      boolean sideEffects,
      ContractSchema input,
      RequestTemplate request,
      Map<String, RequestTemplate> overrides,
      List<String> route,
      Failover failover,
      AttemptPolicy attempts,
      Duration deadline,
      @Nullable Duration releaseAfterSilence,
      String contractHash) {

    OperationSettings {
      overrides = Map.copyOf(overrides);
      route = List.copyOf(route);
    }
  }

  public String name() {
    return settings.name();
  }

  /** Whether a second execution would be felt in the world. */
  public boolean sideEffects() {
    return settings.sideEffects();
  }

  /** Providers by name, the intended one first; at least one, each in the catalog. */
  public List<String> route() {
    return settings.route();
  }

  public Failover failover() {
    return settings.failover();
  }

  public AttemptPolicy attempts() {
    return settings.attempts();
  }

  /** Of the whole job, from its acceptance (default 15 min). */
  public Duration deadline() {
    return settings.deadline();
  }

  /**
   * After how much silence an unresolved attempt is released by policy; null: never. Only where
   * there are no side effects.
   */
  public @Nullable Duration releaseAfterSilence() {
    return settings.releaseAfterSilence();
  }

  /** What an input gets wrong; empty when it keeps to the schema. */
  public List<Violation> validate(JsonNode input) {
    return settings.input().validate(input);
  }

  /**
   * The body of the request to one provider.
   *
   * @throws RenderRefused when a placeholder has no value
   */
  public String render(String provider, StrictJson.Document input) throws RenderRefused {
    return settings.overrides().getOrDefault(provider, settings.request()).render(input);
  }

  /**
   * SHA-256, in hexadecimal, over what decides how a provider is asked and what it must answer:
   * side effects, schemas, requests. Route, pauses and deadlines are not part of it, nor is the
   * order of members.
   */
  public String contractHash() {
    return settings.contractHash();
  }

  @Override
  public String toString() {
    return "Operation[" + name() + "]";
  }
}
