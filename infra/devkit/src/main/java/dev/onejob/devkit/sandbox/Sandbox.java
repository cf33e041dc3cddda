package dev.onejob.devkit.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;

/**
 * The sandbox providers: any number of them under one URL, each {@code POST /{provider}/print}. The
 * same things that the control calls under {@code /_sandbox} do can be done from Java.
 */
public final class Sandbox implements AutoCloseable {

  private static final int BACKLOG = 1024;

  private final ServerSocket server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final Ledger ledger = new Ledger();
  private final Gates gates = new Gates();
  private final Scripts scripts = new Scripts();
  private final Callbacks callbacks = new Callbacks();
  private final Player player = new Player(ledger, gates, scripts, callbacks, threads);
  private final Control control = new Control(ledger, gates, scripts, callbacks);

  private Sandbox(ServerSocket server) {
    this.server = server;
  }

  /** Starts on a free port of 127.0.0.1. */
  public static Sandbox start() {
    return start(0);
  }

  /**
   * Starts on a port of 127.0.0.1.
   *
   * @throws UncheckedIOException if the port is taken
   */
  public static Sandbox start(int port) {
    try {
      ServerSocket server = new ServerSocket();
      try {
        server.setReuseAddress(true);
        server.bind(
            new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
            BACKLOG);
      } catch (IOException taken) {
        server.close();
        throw taken;
      }
      Sandbox sandbox = new Sandbox(server);
      sandbox.threads.execute(sandbox::accept);
      return sandbox;
    } catch (IOException failed) {
      throw new UncheckedIOException(
          "sandbox on port " + port + ": " + failed.getMessage(), failed);
    }
  }

  public int port() {
    return server.getLocalPort();
  }

  public String url() {
    return "http://127.0.0.1:" + port();
  }

  /** How often the job's side effect happened, at all providers together. */
  public int executions(String job) {
    return (int) received(job).stream().filter(Received::executed).count();
  }

  /** The job's requests at all providers, in order of arrival. */
  public List<Received> received(String job) {
    return ledger.received(null, null, job);
  }

  /** All requests of all jobs, in order of arrival. */
  public List<Received> received() {
    return ledger.received(null, null, null);
  }

  /** The job's first request, as soon as it is there; an AssertionError if it does not come. */
  public Received awaitReceived(String job, Duration patience) throws InterruptedException {
    return awaitReceived(received -> job.equals(received.job()), patience);
  }

  /** The first request that is as asked for, whatever of it must still change for that. */
  public Received awaitReceived(Predicate<Received> asked, Duration patience)
      throws InterruptedException {
    return ledger.await(asked, patience);
  }

  /** Lets everything pass that waits, or will wait, at the gate. */
  public void open(String gate) {
    gates.open(gate);
  }

  public void shut(String gate) {
    gates.shut(gate);
  }

  /**
   * Scripts the provider's next requests, whatever they say themselves.
   *
   * @param steps as a person types them: {@code execute, hang}
   * @param times how many requests; 0 = until cleared
   * @throws IllegalArgumentException if a step is not known
   */
  public void script(String provider, String steps, int times) {
    scripts.put(provider, Steps.parse(List.of(steps)), times);
  }

  public void clearScript(String provider) {
    scripts.clear(provider);
  }

  /** Where the provider calls back, and the secret it signs with. */
  public void callback(String provider, String url, String secret) {
    callbacks.put(provider, new Callbacks.Target(url, secret));
  }

  /** Forgets all requests and executions. */
  public void clear() {
    ledger.clear();
  }

  /** Connections that are open now: a client that went away must not be among them. */
  int connections() {
    return connections.size();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        threads.execute(() -> serve(socket));
      } catch (IOException | RejectedExecutionException closing) {
        // the loop's condition tells whether it is over
      }
    }
  }

  private void serve(Socket socket) {
    try (socket;
        Connection connection = new Connection(socket)) {
      connections.add(connection);
      try {
        boolean more = true;
        while (more) {
          Wire.Request request = connection.next();
          more = request != null && handle(request, connection);
        }
      } catch (Wire.Refused refused) {
        connection.answer(
            refused.status, Map.of(), Player.error(String.valueOf(refused.getMessage())), false);
      } finally {
        connections.remove(connection);
      }
    } catch (IOException gone) {
      // the client's business
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean handle(Wire.Request request, Connection connection)
      throws IOException, InterruptedException {
    String provider = Control.providerOf(request);
    if (provider != null) {
      return player.play(provider, request, connection);
    }
    Control.Reply reply = control.reply(request);
    connection.answer(reply.status(), Map.of(), reply.body(), request.keepAlive());
    return request.keepAlive();
  }

  /** Ends everything at once, also what hangs. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException closed) {
      // it takes no more connections, which is what was asked for
    }
    threads.shutdownNow();
    connections.forEach(Connection::close);
    callbacks.close();
    threads.close();
  }
}
