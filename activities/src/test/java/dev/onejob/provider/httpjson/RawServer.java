package dev.onejob.provider.httpjson;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A server that reads whole requests, counts them, and answers byte by byte as it is told. */
final class RawServer implements AutoCloseable {

  /** What to do after a request was read. Returning closes the connection. */
  interface Answer {
    void write(Socket socket) throws IOException, InterruptedException;
  }

  private final ServerSocket listener;
  private final Answer answer;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final CountDownLatch first = new CountDownLatch(1);

  RawServer(Answer answer) throws IOException {
    this.answer = answer;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Answers with a text. */
  static Answer text(String text) {
    return socket -> socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  /** Head and body of each request that was read to its end. */
  List<String> requests() {
    return requests;
  }

  void awaitRequest() throws InterruptedException {
    first.await();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      String request = read(socket.getInputStream());
      if (request.isEmpty()) {
        return;
      }
      requests.add(request);
      first.countDown();
      answer.write(socket);
      socket.getOutputStream().flush();
    } catch (IOException e) {
      // The client hung up, which is what some tests are about.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String read(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      head.append((char) next);
    }
    String length = head.toString().replaceAll("(?is).*\r\ncontent-length: *([0-9]+).*", "$1");
    byte[] body = in.readNBytes(Integer.parseInt(length));
    return head + new String(body, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
