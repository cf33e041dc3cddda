package dev.onejob.devkit.sandbox;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that hides nothing of what arrives on the wire. */
final class Raw implements AutoCloseable {

  final Socket socket;

  Raw(Sandbox sandbox) throws IOException {
    socket = new Socket("127.0.0.1", sandbox.port());
    socket.setSoTimeout(5_000);
  }

  static String print(String provider, String key, String body) {
    return "POST /"
        + provider
        + "/print HTTP/1.1\r\nHost: sandbox\r\nContent-Type: application/json\r\n"
        + (key.isEmpty() ? "" : "Idempotency-Key: " + key + "\r\n")
        + "Content-Length: "
        + body.getBytes(StandardCharsets.UTF_8).length
        + "\r\n\r\n"
        + body;
  }

  Raw send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Everything up to the end that the server makes. */
  String all() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** One answer, by its Content-Length. */
  String answer() throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        return head.toString(StandardCharsets.UTF_8);
      }
      head.write(b);
    }
    String text = head.toString(StandardCharsets.UTF_8);
    int length = Integer.parseInt(text.replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
    return text + new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
