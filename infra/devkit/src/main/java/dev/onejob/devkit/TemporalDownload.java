package dev.onejob.devkit;

import io.temporal.testing.TemporalDevServer;
import io.temporal.testing.TemporalDevServerOptions;

/**
 * Has the SDK fetch the Temporal program: {@code TemporalDownload VERSION DIRECTORY}. The program
 * is left in the directory, which must be empty before. The launcher's last resort before the
 * in-memory server.
 */
public final class TemporalDownload {

  private TemporalDownload() {}

  public static void main(String[] arguments) {
    TemporalDevServerOptions options =
        TemporalDevServerOptions.newBuilder()
            .setDownloadVersion("v" + arguments[0])
            .setDownloadDestination(arguments[1])
            .build();
    // It can only be had together with a start: what was fetched has run once.
    TemporalDevServer.start(options).close();
  }
}
