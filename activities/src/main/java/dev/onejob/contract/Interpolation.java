package dev.onejob.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Fills {@code ${env:NAME}} and {@code ${file:/path}} into a setting, once: what was filled in is
 * never looked at again. Its messages name the variable or the file, never a value.
 */
final class Interpolation {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final int FILE_BYTES_MAX = 64 * 1024;

  private final Environment environment;

  Interpolation(Environment environment) {
    this.environment = environment;
  }

  /** Why a setting could not be filled in. */
  static final class Refused extends Exception {
    Refused(String reason) {
      super(reason, null, false, false);
    }
  }

  /** Whether the text wants anything filled in. */
  static boolean wants(String raw) {
    return raw.contains("${");
  }

  String fill(String raw) throws Refused {
    StringBuilder filled = new StringBuilder();
    int at = 0;
    while (true) {
      int open = raw.indexOf("${", at);
      if (open < 0) {
        return filled.append(raw, at, raw.length()).toString();
      }
      int close = raw.indexOf('}', open);
      if (close < 0) {
        throw new Refused("'${' without '}'");
      }
      filled.append(raw, at, open).append(lookup(raw.substring(open + 2, close)));
      at = close + 1;
    }
  }

  private String lookup(String what) throws Refused {
    if (what.startsWith("env:")) {
      return env(what.substring("env:".length()));
    }
    if (what.startsWith("file:")) {
      return file(what.substring("file:".length()));
    }
    throw new Refused("'${" + what + "}' is neither ${env:NAME} nor ${file:/path}");
  }

  private String env(String name) throws Refused {
    if (!NAME.matcher(name).matches()) {
      throw new Refused("'" + name + "' is no name of an environment variable");
    }
    String value = environment.get(name);
    if (value == null || value.isEmpty()) {
      throw new Refused("environment variable " + name + " is not set");
    }
    return value;
  }

  private static String file(String name) throws Refused {
    try {
      Path path = Path.of(name);
      if (!path.isAbsolute()) {
        throw new Refused("${file:" + name + "} must be an absolute path");
      }
      if (!Files.isRegularFile(path)) {
        throw new Refused("file " + name + " does not exist");
      }
      if (Files.size(path) > FILE_BYTES_MAX) {
        throw new Refused("file " + name + " is larger than 64 KiB");
      }
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(Files.readAllBytes(path)))
              .toString();
      // Editors and `echo` end a file with a line break that is no part of the secret.
      String value =
          text.endsWith("\r\n")
              ? text.substring(0, text.length() - 2)
              : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
      if (value.isEmpty()) {
        throw new Refused("file " + name + " is empty");
      }
      return value;
    } catch (CharacterCodingException e) {
      throw new Refused("file " + name + " is not UTF-8");
    } catch (IOException | InvalidPathException e) {
      throw new Refused("file " + name + " cannot be read");
    }
  }
}
