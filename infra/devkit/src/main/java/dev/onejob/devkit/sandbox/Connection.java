package dev.onejob.devkit.sandbox;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One client's connection, with everything that can be done to it. */
final class Connection implements AutoCloseable {

  private static final int IDLE_MILLIS_MAX = 120_000;
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

  private final Socket socket;
  private final BufferedInputStream in;
  private final OutputStream out;

  Connection(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
    out = socket.getOutputStream();
  }

  Wire.@Nullable Request next() throws IOException {
    socket.setSoTimeout(IDLE_MILLIS_MAX);
    return Wire.read(
        in,
        () -> {
          out.write(CONTINUE);
          out.flush();
        });
  }

  void answer(int status, Map<String, String> headers, byte[] body, boolean keepAlive)
      throws IOException {
    byte[] head = Wire.head(status, headers, body.length, keepAlive);
    byte[] whole = new byte[head.length + body.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    out.write(whole);
    out.flush();
  }

  /** Sends so many bytes of a body and declares at least one more. */
  void truncated(byte[] body, int bytes) throws IOException {
    int sent = Math.min(bytes, body.length);
    out.write(Wire.head(200, Map.of(), Math.max(body.length, sent + 1), true));
    out.write(body, 0, sent);
    out.flush();
  }

  void trickled(byte[] body, Duration perByte, boolean keepAlive)
      throws IOException, InterruptedException {
    out.write(Wire.head(200, Map.of(), body.length, keepAlive));
    out.flush();
    for (byte b : body) {
      Thread.sleep(perByte);
      out.write(b);
      out.flush();
    }
  }

  /** Whether the client closed its side. What it may have sent ahead is kept. */
  boolean clientLeft() {
    try {
      socket.setSoTimeout(1);
      in.mark(1);
      if (in.read() < 0) {
        return true;
      }
      in.reset();
      return false;
    } catch (SocketTimeoutException stillThere) {
      return false;
    } catch (IOException gone) {
      return true;
    }
  }

  void awaitClientLeaving() {
    try {
      socket.setSoTimeout(0);
      while (in.read() >= 0) {
        // whatever is sent ahead of an answer that never comes is of no interest
      }
    } catch (IOException gone) {
      // left without saying so
    }
  }

  /** The next close sends RST instead of FIN. */
  void resetOnClose() throws IOException {
    socket.setSoLinger(true, 0);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException closed) {
      // nothing is left to be done for it
    }
  }
}
