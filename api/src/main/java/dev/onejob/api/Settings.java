package dev.onejob.api;

import dev.onejob.store.DatabaseSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a process: arguments first, then environment variables, then defaults.
 *
 * @param port 0 for a free one
 * @param portFile where the port that was taken is written, if anywhere
 * @param temporalUi the address of Temporal UI, for links
 */
record Settings(
    int port,
    String bind,
    Path config,
    Set<String> roles,
    DatabaseSettings database,
    @Nullable String apiKey,
    @Nullable String operatorKey,
    @Nullable String temporalUi,
    String temporalNamespace,
    @Nullable Path portFile) {

  /** A setting that cannot be used; the message says which and what would do. */
  static final class Wrong extends RuntimeException {
    Wrong(String message) {
      super(message, null, false, false);
    }
  }

  private static final Set<String> ROLES = Set.of("api", "worker");
  private static final Map<String, String> OPTIONS =
      Map.of("--port", "ONEJOB_PORT", "--config", "ONEJOB_CONFIG", "--roles", "ONEJOB_ROLES");

  static Settings read(String[] arguments, UnaryOperator<@Nullable String> environment) {
    Map<String, String> given = arguments(arguments);
    Lookup lookup =
        name -> {
          String value = given.get(name);
          String found = value != null ? value : environment.apply(name);
          return found == null || found.isBlank() ? null : found;
        };
    return new Settings(
        port(lookup.or("ONEJOB_PORT", "8080")),
        lookup.or("ONEJOB_BIND", "127.0.0.1"),
        Path.of(
            lookup.need("ONEJOB_CONFIG", "the directory that holds providers/ and operations/")),
        roles(lookup.or("ONEJOB_ROLES", "api,worker")),
        database(lookup),
        lookup.get("ONEJOB_API_KEY"),
        lookup.get("ONEJOB_OPERATOR_KEY"),
        lookup.get("ONEJOB_TEMPORAL_UI"),
        lookup.or("TEMPORAL_NAMESPACE", "default"),
        lookup.get("ONEJOB_PORT_FILE") == null ? null : Path.of(lookup.or("ONEJOB_PORT_FILE", "")));
  }

  private interface Lookup {
    @Nullable String get(String name);

    default String or(String name, String otherwise) {
      String value = get(name);
      return value == null ? otherwise : value;
    }

    default String need(String name, String what) {
      String value = get(name);
      if (value == null) {
        throw new Wrong(name + " is not set: " + what);
      }
      return value;
    }
  }

  private static Map<String, String> arguments(String[] arguments) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      String name = OPTIONS.get(arguments[i]);
      if (name == null || i + 1 == arguments.length) {
        throw new Wrong(
            (name == null ? "unknown argument " : "no value for ")
                + arguments[i]
                + "; known are --port N, --config DIR, --roles api,worker");
      }
      given.put(name, arguments[i + 1]);
    }
    return given;
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException unreadable) {
      // refused below
    }
    throw new Wrong("the port must be 0 to 65535");
  }

  private static Set<String> roles(String text) {
    Set<String> roles = Set.copyOf(List.of(text.strip().split("\\s*,\\s*")));
    if (!ROLES.containsAll(roles)) {
      throw new Wrong("the roles must be api, worker, or api,worker");
    }
    return roles;
  }

  private static DatabaseSettings database(Lookup lookup) {
    String url = lookup.need("ONEJOB_DB_URL", "jdbc:postgresql://host:port/database");
    String password = lookup.get("ONEJOB_DB_PASSWORD");
    String file = lookup.get("ONEJOB_DB_PASSWORD_FILE");
    try {
      if (password == null && file != null) {
        password = Files.readString(Path.of(file)).strip();
      }
      return DatabaseSettings.of(url, lookup.get("ONEJOB_DB_USER"), password);
    } catch (IOException unreadable) {
      throw new Wrong("ONEJOB_DB_PASSWORD_FILE cannot be read: " + file);
    } catch (IllegalArgumentException unusable) {
      throw new Wrong("ONEJOB_DB_URL: " + unusable.getMessage());
    }
  }

  boolean api() {
    return roles.contains("api");
  }

  boolean worker() {
    return roles.contains("worker");
  }

  /** Where a job's workflow can be looked at, up to its id. */
  @Nullable String workflows() {
    return temporalUi == null
        ? null
        : temporalUi.replaceFirst("/+$", "") + "/namespaces/" + temporalNamespace + "/workflows/";
  }

  /** Without keys and passwords. */
  @Override
  public String toString() {
    return "Settings[port=" + port + ", roles=" + roles + ", config=" + config + "]";
  }
}
