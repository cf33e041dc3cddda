package dev.onejob.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Configurations for tests of the front door; their providers are never called. */
final class FrontConfig {

  private static final String PRINT_INPUT =
      "{type: object, required: [document], properties: {document: {type: string}, copies: {type: integer, minimum: 1}}}";

  private FrontConfig() {}

  static Path write() {
    Path directory = providers();
    operation(directory, "print", PRINT_INPUT, "any");
    operation(directory, "careful", PRINT_INPUT, "certified");
    operation(directory, "never", PRINT_INPUT, "never");
    operation(directory, "anything", "{}", "any");
    return directory;
  }

  /** The same, with the schema of print changed and anything gone. */
  static Path changed() {
    Path directory = providers();
    operation(
        directory,
        "print",
        "{type: object, required: [pages], additionalProperties: false}",
        "any");
    return directory;
  }

  private static Path providers() {
    Path directory = Front.temporary("onejob-front");
    for (String provider : new String[] {"inkjet", "laser"}) {
      write(
          directory.resolve("providers/" + provider + ".yaml"),
          """
          provider: %s
          adapter: http-json
          baseUrl: http://127.0.0.1:1/%s
          timeouts: {connect: 1s, call: 1s, linger: 1s}
          request: {method: POST, path: /print}
          """
              .formatted(provider, provider));
    }
    return directory;
  }

  private static void operation(Path directory, String name, String input, String failover) {
    write(
        directory.resolve("operations/" + name + ".yaml"),
        """
        operation: %s
        sideEffects: true
        input: %s
        output: {}
        route: [inkjet, laser]
        failover: %s
        """
            .formatted(name, input, failover));
  }

  static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
