package dev.onejob.contract;

import dev.onejob.contract.Operation.OperationSettings;
import dev.onejob.job.Failover;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads one file of {@code operations/}. */
final class OperationReader {

  private static final Duration DEADLINE = Duration.ofMinutes(15);
  private static final Duration DAYS_365 = Duration.ofDays(365);
  private static final Duration MILLISECOND = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Members members;
  private final String name;
  private final Set<String> providers;
  private final Source source;

  OperationReader(Members members, String name, Set<String> providers) {
    this.members = members;
    this.name = name;
    this.providers = providers;
    this.source = members.source();
  }

  /** Null when something that is needed was refused; the reasons are with the source. */
  @Nullable Operation read() {
    members.take("operation");
    Boolean sideEffects = members.requireBoolean("sideEffects");
    Node inputNode = members.require("input");
    ContractSchema input =
        inputNode == null ? null : ContractSchema.read(inputNode, "input", source);
    Node output = members.require("output");
    if (output != null) {
      ContractSchema.read(output, "output", source);
    }
    RequestTemplate request = request(members);
    List<String> route = route();
    Map<String, RequestTemplate> overrides = overrides(route);
    String failover = members.takeWord("failover", List.of("certified", "any", "never"));
    AttemptPolicy attempts = attempts();
    Duration deadline = members.takeDuration("deadline", SECOND, DAYS_365, DEADLINE);
    Duration release = releaseAfterSilence(Boolean.FALSE.equals(sideEffects));
    members.notYet("checks", "samples");
    members.nothingElse();
    if (sideEffects == null || input == null) {
      return null;
    }
    return new Operation(
        new OperationSettings(
            name,
            sideEffects,
            input,
            request,
            overrides,
            route,
            failover(failover),
            attempts,
            deadline,
            release,
            contractHash()));
  }

  private static Failover failover(@Nullable String word) {
    return switch (word) {
      case "any" -> Failover.ANY;
      case "never" -> Failover.NEVER;
      case null, default -> Failover.CERTIFIED;
    };
  }

  private RequestTemplate request(Members parent) {
    Members request = parent.takeMembers("request");
    if (request == null) {
      return RequestTemplate.INPUT;
    }
    Node body = request.require("body");
    request.notYet("messages", "parameters", "responseFormat");
    request.nothingElse();
    return body == null ? RequestTemplate.INPUT : RequestTemplate.compile(body, source);
  }

  private Map<String, RequestTemplate> overrides(List<String> route) {
    Members all = members.takeMembers("overrides");
    if (all == null) {
      return Map.of();
    }
    Map<String, RequestTemplate> overrides = new HashMap<>();
    for (String provider : all.names()) {
      Members one = all.takeMembers(provider);
      if (!route.contains(provider)) {
        all.problemAtName(provider, "'overrides." + provider + "' is not in the route");
      }
      if (one != null) {
        if (one.names().isEmpty()) {
          all.problem(provider, "is empty");
        }
        overrides.put(provider, request(one));
        one.nothingElse();
      }
    }
    return overrides;
  }

  private List<String> route() {
    List<Members.NameAt> names = members.requireNames("route");
    List<String> route = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Members.NameAt at : names == null ? List.<Members.NameAt>of() : names) {
      if (!providers.contains(at.name())) {
        source.problem(at.node(), "'route' names an unknown provider '" + at.name() + "'");
      }
      if (!seen.add(at.name())) {
        source.problem(at.node(), "'route' names '" + at.name() + "' twice");
      }
      route.add(at.name());
    }
    return route;
  }

  private AttemptPolicy attempts() {
    AttemptPolicy standard = AttemptPolicy.DEFAULT;
    Members attempts = members.takeMembers("attempts");
    if (attempts == null) {
      return standard;
    }
    int max = attempts.takeInt("max", 1, 100, standard.max());
    Duration heartbeat =
        attempts.takeDuration("heartbeat", SECOND, Duration.ofHours(1), standard.heartbeat());
    Duration min = standard.backoffMin();
    Duration most = standard.backoffMax();
    String backoff = attempts.takeText("backoff");
    if (backoff != null) {
      int dots = backoff.indexOf("..");
      Duration from = dots < 0 ? null : Durations.parse(backoff.substring(0, dots).strip());
      Duration to = dots < 0 ? null : Durations.parse(backoff.substring(dots + 2).strip());
      if (from == null || to == null) {
        attempts.problem("backoff", "must be a range of durations such as 1s..1m");
      } else if (from.compareTo(MILLISECOND) < 0
          || to.compareTo(from) < 0
          || to.compareTo(DAYS_365) > 0) {
        attempts.problem("backoff", "must grow from at least 1ms to no less");
      } else {
        min = from;
        most = to;
      }
    }
    attempts.nothingElse();
    return new AttemptPolicy(max, min, most, heartbeat);
  }

  private @Nullable Duration releaseAfterSilence(boolean harmless) {
    Members unknown = members.takeMembers("unknown");
    if (unknown == null) {
      return null;
    }
    String text = unknown.takeText("releaseAfterSilence");
    Duration release = null;
    if (text != null && !text.equals("never")) {
      release = Durations.parse(text);
      if (release == null || !release.isPositive()) {
        unknown.problem("releaseAfterSilence", "must be never or a duration such as 10s");
      } else if (!harmless) {
        unknown.problem("releaseAfterSilence", "may be a duration only where sideEffects is false");
      }
    }
    unknown.nothingElse();
    return release;
  }

  /** Over the members that decide what is asked and what may be answered. */
  private String contractHash() {
    Map<String, String> parts = new TreeMap<>();
    for (String part :
        List.of("operation", "sideEffects", "input", "output", "request", "overrides")) {
      Node node = members.take(part);
      if (node != null && !(node instanceof MappingNode empty && empty.getValue().isEmpty())) {
        parts.put(part, YamlJson.of(node, source));
      }
    }
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(parts.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
