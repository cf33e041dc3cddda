package dev.onejob.devkit;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Stands in for the application: the same settings, the same port file, the same health paths. */
final class TinyApp {

  private TinyApp() {}

  public static void main(String[] args) throws Exception {
    if ("yes".equals(System.getenv("TINY_REFUSE"))) {
      System.err.println("providers/x.yaml:3: unknown member");
      System.exit(1);
    }
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body =
              ("{\"roles\": \"" + System.getenv("ONEJOB_ROLES") + "\"}")
                  .getBytes(StandardCharsets.UTF_8);
          boolean ready = !exchange.getRequestURI().getPath().equals("/never");
          exchange.sendResponseHeaders(ready ? 200 : 503, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("stopping in order")));
    Path portFile = Path.of(System.getenv("ONEJOB_PORT_FILE"));
    Path part = portFile.resolveSibling("port.part");
    Files.writeString(part, Integer.toString(server.getAddress().getPort()));
    Files.move(part, portFile, StandardCopyOption.ATOMIC_MOVE);
    System.out.println("listening on http://127.0.0.1:" + server.getAddress().getPort());
  }
}
