package dev.onejob.api;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Requests that no proper client sends: bytes out, the answer's bytes in. */
final class RawHttp {

  private RawHttp() {}

  record Answer(int status, String head, String body) {
    String header(String name) {
      for (String line : head.split("\r\n")) {
        if (line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":")) {
          return line.substring(name.length() + 1).strip();
        }
      }
      return "";
    }
  }

  /** The request must ask for the connection to be closed. */
  static Answer send(int port, String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      InputStream in = socket.getInputStream();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      int end = text.indexOf("\r\n\r\n");
      String head = end < 0 ? text : text.substring(0, end);
      return new Answer(
          Integer.parseInt(head.split(" ")[1]), head, end < 0 ? "" : text.substring(end + 4));
    }
  }
}
