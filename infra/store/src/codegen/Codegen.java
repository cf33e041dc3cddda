import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.jooq.codegen.GenerationTool;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.Generate;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Jdbc;
import org.jooq.meta.jaxb.Target;

/**
 * Generates the jOOQ classes from a real PostgreSQL with the real migrations: {@code Codegen
 * MIGRATIONS TARGET}. Does nothing when the migrations are those of the last run.
 */
final class Codegen {
  public static void main(String[] args) throws Exception {
    Path migrations = Path.of(args[0]);
    Path target = Path.of(args[1]);
    Path stamp = target.resolve("migrations.sha256");
    String digest = digest(migrations);
    if (Files.exists(stamp) && Files.readString(stamp).equals(digest)) {
      return;
    }
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(1)).start()) {
      Flyway.configure()
          .dataSource(postgres.getPostgresDatabase())
          .locations("filesystem:" + migrations)
          .load()
          .migrate();
      GenerationTool.generate(
          new Configuration()
              .withJdbc(
                  new Jdbc()
                      .withUrl(postgres.getJdbcUrl("postgres", "postgres"))
                      .withUser("postgres"))
              .withGenerator(
                  new Generator()
                      .withDatabase(
                          new Database()
                              .withName("org.jooq.meta.postgres.PostgresDatabase")
                              .withInputSchema("public")
                              .withOutputSchemaToDefault(true)
                              .withExcludes("flyway_schema_history"))
                      .withGenerate(new Generate().withRoutines(false))
                      .withTarget(
                          new Target()
                              .withPackageName("dev.onejob.store.db")
                              .withDirectory(target.toString()))));
    }
    Files.writeString(stamp, digest);
  }

  private static String digest(Path migrations) throws Exception {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    List<Path> files;
    try (var all = Files.list(migrations)) {
      files = all.sorted().toList();
    }
    for (Path file : files) {
      sha256.update(file.getFileName().toString().getBytes("UTF-8"));
      sha256.update(Files.readAllBytes(file));
    }
    return HexFormat.of().formatHex(sha256.digest());
  }
}
