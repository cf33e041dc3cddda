package dev.onejob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onejob.job.Failover;
import dev.onejob.json.JsonLimits;
import dev.onejob.json.StrictJson;
import dev.onejob.provider.Provider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogTest {

  private static final String PROVIDER =
      """
      provider: inkjet
      adapter: http-json
      baseUrl: http://localhost:1
      """;

  private static final String OPERATION =
      """
      operation: print
      sideEffects: true
      input: {type: object}
      output: {type: object}
      route: [inkjet]
      """;

  private static final Map<String, String> ENVIRONMENT =
      Map.of("TOKEN", "s3cr3t-value", "BREAK", "a\r\nX-Evil: s3cr3t-value", "URL", "s3cr3t-value");

  @TempDir Path directory;

  @BeforeEach
  void good() throws IOException {
    write("providers/inkjet.yaml", PROVIDER);
    write("operations/print.yaml", OPERATION);
  }

  @Test
  void theShippedDirectoryIsValid() throws CatalogRefused {
    Catalog catalog =
        Catalog.load(shipped(), Map.of("ONEJOB_SANDBOX_URL", "http://127.0.0.1:9")::get);

    assertThat(catalog.providers()).containsOnlyKeys("inkjet", "laser");
    assertThat(catalog.operations()).containsOnlyKeys("print-document", "summarize-ticket");
    Operation print = catalog.operation("print-document").orElseThrow();
    assertThat(print.sideEffects()).isTrue();
    assertThat(print.route()).containsExactly("inkjet", "laser");
    assertThat(print.failover()).isEqualTo(Failover.ANY);
    assertThat(print.attempts()).isEqualTo(AttemptPolicy.DEFAULT);
    assertThat(print.deadline()).isEqualTo(Duration.ofMinutes(15));
    assertThat(print.releaseAfterSilence()).isNull();
    assertThat(print.validate(json("{\"document\":\"x\",\"copies\":2}").tree())).isEmpty();
    assertThat(print.validate(json("{\"document\":\"x\",\"copie\":2}").tree())).hasSize(1);
    assertThat(catalog.operation("summarize-ticket").orElseThrow().releaseAfterSilence())
        .isEqualTo(Duration.ofSeconds(10));
    Provider inkjet = catalog.provider("inkjet").orElseThrow();
    assertThat(inkjet.timeouts().call()).isEqualTo(Duration.ofSeconds(10));
    assertThat(inkjet.timeouts().total()).isEqualTo(Duration.ofSeconds(610));
    assertThat(inkjet.capabilities().deduplicates()).isTrue();
  }

  @Test
  void theShippedDirectorySaysWhichVariableIsMissing() {
    List<Problem> problems = refused(() -> Catalog.load(shipped(), name -> null));
    assertThat(problems)
        .hasSize(2)
        .allSatisfy(
            p ->
                assertThat(p.reason())
                    .isEqualTo("environment variable ONEJOB_SANDBOX_URL is not set"))
        .allSatisfy(p -> assertThat(p.line()).isEqualTo(5));
  }

  @Test
  void defaultsAreTheDocumentedOnes() throws CatalogRefused {
    Catalog catalog = load();
    Operation print = catalog.operation("print").orElseThrow();
    assertThat(print.failover()).isEqualTo(Failover.CERTIFIED);
    assertThat(print.attempts())
        .isEqualTo(
            new AttemptPolicy(
                3, Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofSeconds(10)));
    assertThat(print.deadline()).isEqualTo(Duration.ofMinutes(15));
    assertThat(print.releaseAfterSilence()).isNull();
    Provider inkjet = catalog.provider("inkjet").orElseThrow();
    assertThat(inkjet.timeouts().connect()).isEqualTo(Duration.ofSeconds(2));
    assertThat(inkjet.timeouts().call()).isEqualTo(Duration.ofSeconds(30));
    assertThat(inkjet.timeouts().linger()).isEqualTo(Duration.ofMinutes(10));
    assertThat(inkjet.capabilities().deduplicates()).isFalse();
    assertThat(inkjet.model()).isNull();
  }

  @Test
  void everyProblemOfEveryFileIsReportedInOrder() throws IOException {
    write("providers/inkjet.yaml", PROVIDER + "tpyo: 1\nmodel: []\nmodel: x\n");
    write("operations/print.yaml", OPERATION + "deadlin: 1s\nfailover: maybe\n");
    assertThat(refused(this::load).stream().map(this::shown))
        .containsExactly(
            "operations/print.yaml:6: unknown member 'deadlin'",
            "operations/print.yaml:7: 'failover' must be one of certified, any, never",
            "providers/inkjet.yaml:4: unknown member 'tpyo'",
            "providers/inkjet.yaml:6: duplicate member 'model'");
  }

  @Test
  void theMessageIsOneProblemPerLine() throws IOException {
    write("providers/inkjet.yaml", PROVIDER + "tpyo: 1\nodel: x\n");
    assertThatThrownBy(this::load)
        .isInstanceOf(CatalogRefused.class)
        .hasMessage(
            directory.resolve("providers/inkjet.yaml")
                + ":4: unknown member 'tpyo'\n"
                + directory.resolve("providers/inkjet.yaml")
                + ":5: unknown member 'odel'");
  }

  @Test
  void anEmptyDirectoryIsRefused(@TempDir Path empty) throws IOException {
    assertThat(refused(() -> Catalog.load(empty)).stream().map(Problem::reason))
        .containsExactly("no such directory", "no such directory");
    Files.createDirectory(empty.resolve("providers"));
    Files.createDirectory(empty.resolve("operations"));
    assertThat(refused(() -> Catalog.load(empty)).stream().map(Problem::reason))
        .containsExactly("no operation is configured", "no provider is configured");
    assertThat(refused(() -> Catalog.load(empty.resolve("none"))).stream().map(Problem::reason))
        .containsExactly("no such directory");
  }

  @Test
  void theSameProviderInTwoFilesIsRefused() throws IOException {
    write("providers/zebra.yaml", PROVIDER);
    assertThat(refused(this::load).stream().map(this::shown))
        .containsExactly(
            "providers/zebra.yaml:1: 'provider' is 'inkjet', but the file is named zebra.yaml",
            "providers/zebra.yaml:1: 'provider' 'inkjet' is already defined in "
                + directory.resolve("providers/inkjet.yaml"));
  }

  @Test
  void aFileWithAnotherEndingIsNotOverlooked() throws IOException {
    write("providers/laser.yml", PROVIDER);
    assertThat(refused(this::load).stream().map(this::shown))
        .containsExactly("providers/laser.yml:1: the file's name must end in .yaml");
  }

  @Test
  void hiddenAndForeignFilesAreNotRead() throws Exception {
    write("providers/.inkjet.yaml", "nonsense");
    write("providers/README.md", "nonsense");
    assertThat(load().providers()).containsOnlyKeys("inkjet");
  }

  @Test
  void aProviderWithProblemsIsStillKnownToRoutes() throws IOException {
    write("providers/inkjet.yaml", "{");
    assertThat(refused(this::load)).hasSize(1);
  }

  @Test
  void secretsComeFromFilesAndShowNowhere() throws Exception {
    Path secret = directory.resolve("secret");
    Files.writeString(secret, "s3cr3t-value\n");
    write(
        "providers/inkjet.yaml",
        PROVIDER + "auth: {header: Authorization, value: \"Bearer ${file:" + secret + "}\"}\n");
    assertThat(load().provider("inkjet").orElseThrow().toString()).doesNotContain("s3cr3t-value");
  }

  @Test
  void theContractHashFollowsWhatMattersAlone() throws Exception {
    String before = load().operation("print").orElseThrow().contractHash();
    assertThat(before).matches("[0-9a-f]{64}");

    write("operations/print.yaml", "# moved\n" + OPERATION + "deadline: 1h\nattempts: {max: 9}\n");
    assertThat(load().operation("print").orElseThrow().contractHash()).isEqualTo(before);

    write("operations/print.yaml", OPERATION + "request: {body: {a: 1}}\n");
    assertThat(load().operation("print").orElseThrow().contractHash()).isNotEqualTo(before);
  }

  @Test
  void violationsPointAtTheValue() throws Exception {
    write(
        "operations/print.yaml",
        OPERATION.replace(
            "{type: object}\noutput",
            "{type: object, properties: {a: {type: array, items: {type: integer}}}}\noutput"));
    List<Violation> violations =
        load().operation("print").orElseThrow().validate(json("{\"a\":[1,\"x\"]}").tree());
    assertThat(violations).extracting(Violation::pointer).containsExactly("/a/1");
  }

  /** Whatever a slip of the editor leaves behind ends in problems, never in a stack trace. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void mutilatedFilesNeverThrowAnythingElse(long seed) throws IOException {
    Random random = new Random(seed);
    String[] files = {"providers/inkjet.yaml", "operations/print.yaml"};
    String[] sources = {
      Files.readString(shipped().resolve("providers/inkjet.yaml")),
      Files.readString(shipped().resolve("operations/print-document.yaml"))
    };
    String splices = "{}[]:,-#&*!|>'\"%@`\n\t ?~0.${";
    for (int round = 0; round < 100; round++) {
      good();
      int which = random.nextInt(2);
      StringBuilder text = new StringBuilder(sources[which]);
      for (int slip = random.nextInt(1, 6); slip > 0; slip--) {
        int at = random.nextInt(text.length());
        if (random.nextBoolean()) {
          text.deleteCharAt(at);
        } else {
          text.insert(at, splices.charAt(random.nextInt(splices.length())));
        }
      }
      write(files[which], text.toString());
      try {
        load();
      } catch (CatalogRefused refused) {
        assertThat(refused.problems()).isNotEmpty();
      }
    }
  }

  /** A broken file: which, what it holds, and what is said about it. */
  record Broken(String file, String text, String said) {}

  static List<Broken> brokenFiles() {
    return BrokenFiles.ALL;
  }

  @ParameterizedTest
  @MethodSource("brokenFiles")
  void aBrokenFileIsRefusedWithFileLineAndReason(Broken broken) throws IOException {
    write(broken.file(), broken.text());
    List<Problem> problems = refused(this::load);
    assertThat(problems.stream().map(this::shown)).contains(broken.file() + ":" + broken.said());
    assertThat(problems.toString()).doesNotContain("s3cr3t-value");
  }

  static String provider(String more) {
    return PROVIDER + more + "\n";
  }

  static String operation(String more) {
    return OPERATION + more + "\n";
  }

  private Catalog load() throws CatalogRefused {
    return Catalog.load(directory, ENVIRONMENT::get);
  }

  private String shown(Problem problem) {
    return problem.toString().substring(directory.toString().length() + 1);
  }

  private interface Loading {
    @Nullable Object run() throws CatalogRefused;
  }

  private static List<Problem> refused(Loading loading) {
    CatalogRefused refused = catchThrowableOfType(CatalogRefused.class, loading::run);
    assertThat(refused).isNotNull();
    return refused.problems();
  }

  private void write(String file, String text) throws IOException {
    Path path = directory.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private static StrictJson.Document json(String text) {
    return StrictJson.parse(text.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
  }

  /** The repository's own directory, from wherever the tests run. */
  private static Path shipped() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("infra/config"))) {
        return at.resolve("infra/config");
      }
    }
    throw new IllegalStateException("infra/config is not above the working directory");
  }
}
