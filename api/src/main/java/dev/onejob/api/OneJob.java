package dev.onejob.api;

import dev.onejob.api.auth.Keys;
import dev.onejob.contract.Catalog;
import dev.onejob.contract.CatalogRefused;
import dev.onejob.contract.Environment;
import dev.onejob.store.ApiKeys;
import dev.onejob.store.Database;
import dev.onejob.store.Wakeups;
import dev.onejob.wake.Handover;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The process: roles api, worker, or both. */
public final class OneJob implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(OneJob.class);
  private static final Duration DATABASE_PATIENCE = Duration.ofSeconds(60);

  private final Database database;
  private final AutoCloseable role;
  private final ConfigurableApplicationContext web;

  private OneJob(Database database, AutoCloseable role, ConfigurableApplicationContext web) {
    this.database = database;
    this.role = role;
    this.web = web;
  }

  public static void main(String[] arguments) {
    try {
      OneJob process = start(arguments, System::getenv);
      Runtime.getRuntime().addShutdownHook(new Thread(process::close, "stop"));
    } catch (Settings.Wrong | CatalogRefused refused) {
      System.err.println(refused.getMessage());
      System.exit(1);
    } catch (Exception failed) {
      if (portTaken(failed)) {
        System.err.println("the port is taken: give another with --port, or 0 for a free one");
      } else {
        log.error("cannot start", failed);
      }
      System.exit(1);
    }
  }

  private static boolean portTaken(Throwable failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof PortInUseException) {
        return true;
      }
    }
    return false;
  }

  static OneJob start(String[] arguments, Environment environment)
      throws CatalogRefused, IOException {
    Settings settings = Settings.read(arguments, environment::get);
    Catalog catalog = Catalog.load(settings.config(), environment);
    Database database = Database.open(settings.database());
    migrate(database);
    Keys keys = new Keys(new ApiKeys(database));
    keys.register(settings.apiKey(), "default", "default", Set.of("submit"));
    keys.register(settings.operatorKey(), "operator", "operator", Set.of("submit", "operate"));
    OneJob process;
    if (settings.worker()) {
      WorkerRole worker = WorkerRole.start(database, catalog);
      process =
          new OneJob(database, worker, serve(settings, catalog, database, keys, worker.handover()));
    } else {
      Announcer announcer = new Announcer(new Wakeups(database));
      process =
          new OneJob(database, announcer, serve(settings, catalog, database, keys, announcer));
    }
    int port = process.port();
    if (settings.portFile() != null) {
      write(settings.portFile(), port);
    }
    log.info("listening on http://{}:{}, roles {}", settings.bind(), port, settings.roles());
    return process;
  }

  private static void migrate(Database database) {
    long end = System.nanoTime() + DATABASE_PATIENCE.toNanos();
    while (true) {
      try {
        database.migrate();
        return;
      } catch (RuntimeException failed) {
        if (!Database.unavailable(failed)) {
          throw failed;
        }
        if (System.nanoTime() > end) {
          throw new Settings.Wrong(
              "the database cannot be reached: look at ONEJOB_DB_URL, ONEJOB_DB_USER and ONEJOB_DB_PASSWORD");
        }
        log.warn("the database is not there yet; trying again");
        pause(Duration.ofSeconds(2));
      }
    }
  }

  private static ConfigurableApplicationContext serve(
      Settings settings, Catalog catalog, Database database, Keys keys, Handover handover) {
    SpringApplication application =
        settings.api()
            ? new SpringApplication(Wiring.class, ApiWiring.class)
            : new SpringApplication(Wiring.class);
    application.setBannerMode(Banner.Mode.OFF);
    application.setLogStartupInfo(false);
    application.setRegisterShutdownHook(false);
    application.addInitializers(
        (ApplicationContextInitializer<GenericApplicationContext>)
            context -> {
              context.registerBean(Settings.class, () -> settings);
              context.registerBean(Catalog.class, () -> catalog);
              context.registerBean(
                  Database.class,
                  () -> database,
                  definition -> definition.setDestroyMethodName(""));
              context.registerBean(Keys.class, () -> keys);
              context.registerBean(
                  Handover.class,
                  () -> handover,
                  definition -> definition.setDestroyMethodName(""));
            });
    application.setDefaultProperties(
        Map.of("server.port", settings.port(), "server.address", settings.bind()));
    return application.run();
  }

  int port() {
    return Objects.requireNonNull(((ServletWebServerApplicationContext) web).getWebServer())
        .getPort();
  }

  /** What is served, for the test that holds the API's description against it. */
  ApplicationContext served() {
    return web;
  }

  private static void write(Path file, int port) throws IOException {
    Path written = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(written, Integer.toString(port));
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void pause(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** In order: no new requests, no new work, then the connections. */
  @Override
  public void close() {
    log.info("stopping");
    web.close();
    try {
      role.close();
    } catch (Exception failed) {
      log.warn("not everything stopped in order", failed);
    }
    database.close();
    log.info("stopped");
  }
}
