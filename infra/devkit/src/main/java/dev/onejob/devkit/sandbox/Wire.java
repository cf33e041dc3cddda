package dev.onejob.devkit.sandbox;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 as far as a provider needs it (RFC 9112): requests in, and the head of an answer out.
 * Written by hand because a server that behaves cannot be made to misbehave on the wire.
 */
final class Wire {

  static final int BODY_MAX = 64 * 1024 * 1024;
  private static final int LINE_MAX = 16 * 1024;
  private static final int HEADERS_MAX = 200;

  /** A request that was read whole. Header names are compared without case. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never kept
  record Request(
      String method,
      String path,
      String query,
      Map<String, String> headers,
      byte[] body,
      boolean keepAlive) {

    @Nullable String header(String name) {
      return headers.get(name);
    }
  }

  /** Not a request that can be answered in order; the connection is closed after saying so. */
  static final class Refused extends IOException {
    final int status;

    Refused(int status, String why) {
      super(why);
      this.status = status;
    }
  }

  /** Called when the client waits for permission to send its body. */
  interface Continue {
    void now() throws IOException;
  }

  private Wire() {}

  /** The next request, or null when the client left in between. */
  static @Nullable Request read(InputStream in, Continue onExpect) throws IOException {
    String start = line(in);
    while (start != null && start.isEmpty()) {
      start = line(in);
    }
    if (start == null) {
      return null;
    }
    String[] words = start.split(" ", -1);
    if (words.length != 3 || !words[2].startsWith("HTTP/1.") || !words[1].startsWith("/")) {
      throw new Refused(400, "not an HTTP/1.1 request line");
    }
    Map<String, String> headers = headers(in);
    if ("100-continue".equalsIgnoreCase(headers.get("Expect"))) {
      onExpect.now();
    }
    byte[] body = body(in, headers);
    String connection = headers.getOrDefault("Connection", "").toLowerCase(Locale.ROOT);
    boolean keepAlive =
        words[2].equals("HTTP/1.0")
            ? connection.contains("keep-alive")
            : !connection.contains("close");
    int mark = words[1].indexOf('?');
    return new Request(
        words[0],
        mark < 0 ? words[1] : words[1].substring(0, mark),
        mark < 0 ? "" : words[1].substring(mark + 1),
        headers,
        body,
        keepAlive);
  }

  private static Map<String, String> headers(InputStream in) throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (int count = 0; ; count++) {
      String line = line(in);
      if (line == null) {
        throw new Refused(400, "the head ends early");
      }
      if (line.isEmpty()) {
        return headers;
      }
      int colon = line.indexOf(':');
      if (colon < 1 || count == HEADERS_MAX) {
        throw new Refused(400, "bad header");
      }
      headers.merge(
          line.substring(0, colon), line.substring(colon + 1).strip(), (a, b) -> a + ", " + b);
    }
  }

  private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
    String encoding = headers.get("Transfer-Encoding");
    if (encoding != null) {
      if (!encoding.equalsIgnoreCase("chunked") || headers.containsKey("Content-Length")) {
        throw new Refused(400, "ambiguous length of the body");
      }
      return chunked(in);
    }
    String declared = headers.get("Content-Length");
    if (declared == null) {
      return new byte[0];
    }
    if (!declared.matches("\\d{1,18}")) {
      throw new Refused(400, "bad Content-Length");
    }
    long length = Long.parseLong(declared);
    if (length > BODY_MAX) {
      throw new Refused(413, "body over " + BODY_MAX + " bytes");
    }
    return exactly(in, (int) length);
  }

  private static byte[] chunked(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      String line = line(in);
      String size = line == null ? "" : line.split(";", 2)[0].strip();
      if (!size.matches("[0-9A-Fa-f]{1,8}")) {
        throw new Refused(400, "bad chunk");
      }
      long length = Long.parseLong(size, 16);
      if (length + body.size() > BODY_MAX) {
        throw new Refused(413, "body over " + BODY_MAX + " bytes");
      }
      if (length == 0) {
        headers(in);
        return body.toByteArray();
      }
      body.write(exactly(in, (int) length));
      if (!"".equals(line(in))) {
        throw new Refused(400, "chunk longer than it says");
      }
    }
  }

  private static byte[] exactly(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new Refused(400, "the body ends early");
    }
    return bytes;
  }

  private static @Nullable String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(128);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        if (line.size() == 0) {
          return null;
        }
        throw new Refused(400, "the line ends early");
      }
      if (line.size() == LINE_MAX) {
        throw new Refused(431, "line over " + LINE_MAX + " bytes");
      }
      line.write(b);
    }
    String text = line.toString(StandardCharsets.ISO_8859_1);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  /** Status line and headers, up to and with the empty line. */
  static byte[] head(int status, Map<String, String> headers, long length, boolean keepAlive) {
    StringBuilder head =
        new StringBuilder("HTTP/1.1 ").append(status).append(' ').append(reason(status));
    if (headers.keySet().stream().noneMatch("Content-Type"::equalsIgnoreCase)) {
      head.append("\r\nContent-Type: application/json");
    }
    headers.forEach((name, value) -> head.append("\r\n").append(name).append(": ").append(value));
    head.append("\r\nContent-Length: ").append(length);
    if (!keepAlive) {
      head.append("\r\nConnection: close");
    }
    return head.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String reason(int status) {
    return switch (status / 100) {
      case 2 -> "OK";
      case 3 -> "Redirect";
      case 4 -> "Refused";
      default -> "Failed";
    };
  }
}
