package dev.onejob.devkit.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CountDownLatch;

/** The sandbox as a process: {@code SandboxMain --port N [--port-file F]}. */
public final class SandboxMain {

  private SandboxMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    int port = 0;
    Path portFile = null;
    for (int i = 0; i < args.length; i += 2) {
      String value = i + 1 < args.length ? args[i + 1] : "";
      if (args[i].equals("--port") && value.matches("\\d{1,5}")) {
        port = Integer.parseInt(value);
      } else if (args[i].equals("--port-file") && !value.isEmpty()) {
        portFile = Path.of(value);
      } else {
        System.err.println("usage: SandboxMain --port N [--port-file F]");
        System.exit(2);
      }
    }
    Sandbox sandbox;
    try {
      sandbox = Sandbox.start(port);
    } catch (UncheckedIOException taken) {
      System.err.println(taken.getMessage());
      System.exit(1);
      return;
    }
    if (portFile != null) {
      Path part = portFile.resolveSibling(portFile.getFileName() + ".part");
      Files.writeString(part, Integer.toString(sandbox.port()));
      Files.move(
          part, portFile, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    System.out.println("sandbox providers at " + sandbox.url());
    CountDownLatch forEver = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(sandbox::close));
    forEver.await();
  }
}
