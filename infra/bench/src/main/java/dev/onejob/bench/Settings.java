package dev.onejob.bench;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What to measure, and where. */
record Settings(
    int jobs,
    int rounds,
    int submitters,
    String url,
    String key,
    String databaseUrl,
    Optional<String> databaseUser,
    Optional<String> databasePassword,
    Map<String, Optional<String>> pids) {

  private static final Set<String> OPTIONS = Set.of("--jobs", "--rounds", "--submitters");
  private static final int JOBS_MAX = 20_000;
  private static final int ROUNDS_MAX = 100;
  private static final int SUBMITTERS_MAX = 256;

  /** Wrong use: the message says what would be right. */
  static final class Wrong extends RuntimeException {
    Wrong(String message) {
      super(message, null, false, false);
    }
  }

  static Settings read(String[] arguments, Map<String, String> environment) {
    Map<String, Integer> given = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      if (!OPTIONS.contains(arguments[i]) || i + 1 == arguments.length) {
        throw new Wrong("usage: bench [--jobs N] [--rounds N] [--submitters N]");
      }
      given.put(arguments[i], number(arguments[i], arguments[i + 1]));
    }
    int jobs = given.getOrDefault("--jobs", 400);
    int submitters = given.getOrDefault("--submitters", 16);
    int rounds = given.getOrDefault("--rounds", 3);
    if (jobs > JOBS_MAX
        || submitters > SUBMITTERS_MAX
        || rounds > ROUNDS_MAX
        || jobs < submitters) {
      throw new Wrong(
          "--jobs must be at most "
              + JOBS_MAX
              + ", --submitters at most "
              + SUBMITTERS_MAX
              + " and not more than --jobs, --rounds at most "
              + ROUNDS_MAX
              + ": more would measure this machine's limits, not the product");
    }
    return new Settings(
        jobs,
        rounds,
        submitters,
        need(environment, "ONEJOB_URL"),
        need(environment, "ONEJOB_API_KEY"),
        need(environment, "ONEJOB_DB_URL"),
        Optional.ofNullable(environment.get("ONEJOB_DB_USER")),
        Optional.ofNullable(environment.get("ONEJOB_DB_PASSWORD")),
        Map.of(
            "application", Optional.ofNullable(environment.get("ONEJOB_APP_PID")),
            "Temporal", Optional.ofNullable(environment.get("ONEJOB_TEMPORAL_PID")),
            "PostgreSQL", Optional.ofNullable(environment.get("ONEJOB_POSTGRES_PID"))));
  }

  private static int number(String name, String text) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 1) {
        return number;
      }
    } catch (NumberFormatException unreadable) {
      // refused below
    }
    throw new Wrong(name + " must be a number from 1");
  }

  private static String need(Map<String, String> environment, String name) {
    String value = environment.get(name);
    if (value == null || value.isBlank()) {
      throw new Wrong(
          name
              + " is not set: start an instance with infra/onejob up --detach, then infra/onejob bench");
    }
    return value;
  }

  /** Without the key and the password. */
  @Override
  public String toString() {
    return "Settings[jobs=" + jobs + ", rounds=" + rounds + ", submitters=" + submitters + "]";
  }
}
