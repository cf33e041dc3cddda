package dev.onejob.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a process refuses to start on. */
class StartIT {

  private static final Map<String, String> GOOD =
      Map.of(
          "ONEJOB_CONFIG", FrontConfig.write().toString(),
          "ONEJOB_DB_URL", "postgresql://user:word@db.example:5433/jobs?sslmode=require",
          "ONEJOB_API_KEY", "secret-1",
          "ONEJOB_OPERATOR_KEY", "secret-2");

  @ParameterizedTest
  @CsvSource({
    "ONEJOB_PORT,x,port",
    "ONEJOB_PORT,65536,port",
    "ONEJOB_ROLES,waiter,roles",
    "ONEJOB_DB_URL,mysql://x,ONEJOB_DB_URL",
    "ONEJOB_DB_URL,'postgresql://a b',ONEJOB_DB_URL",
    "ONEJOB_DB_URL,'',ONEJOB_DB_URL",
    "ONEJOB_CONFIG,'',ONEJOB_CONFIG",
    "ONEJOB_DB_PASSWORD_FILE,/nowhere/at/all,ONEJOB_DB_PASSWORD_FILE",
  })
  void aSettingThatCannotBeUsedIsNamed(String name, String value, String named) {
    Map<String, String> environment = new HashMap<>(GOOD);
    environment.put(name, value);
    assertThatThrownBy(() -> Settings.read(new String[0], environment::get))
        .isInstanceOf(Settings.Wrong.class)
        .hasMessageContaining(named);
  }

  @Test
  void argumentsAreKnownOrRefused() {
    for (String[] wrong :
        new String[][] {{"--prot", "1"}, {"--port"}, {"serve"}, {"--port", "1", "--config"}}) {
      assertThatThrownBy(() -> Settings.read(wrong, GOOD::get))
          .isInstanceOf(Settings.Wrong.class)
          .hasMessageContaining("--port N");
    }
  }

  @Test
  void argumentsGoBeforeTheEnvironmentAndNothingSecretIsPrinted() {
    Settings settings =
        Settings.read(new String[] {"--port", "0", "--roles", "api", "--config", "c"}, GOOD::get);
    assertThat(settings.port()).isZero();
    assertThat(settings.config()).isEqualTo(Path.of("c"));
    assertThat(settings.worker()).isFalse();
    assertThat(Settings.read(new String[] {"--roles", "api , worker,api"}, GOOD::get).roles())
        .containsExactlyInAnyOrder("api", "worker");
    assertThat(settings.bind()).isEqualTo("127.0.0.1");
    assertThat(settings.database().url())
        .isEqualTo("jdbc:postgresql://db.example:5433/jobs?sslmode=require");
    assertThat(settings.toString()).doesNotContain("secret", "word");
  }

  @Test
  void aConfigurationThatIsRefusedEndsTheProcessWithFileLineAndReasonAlone() throws Exception {
    Path config = FrontConfig.write();
    FrontConfig.write(config.resolve("operations/broken.yaml"), "operation: broken\nrouet: [x]\n");
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.onejob.api.OneJob",
                "--config",
                config.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    command.environment().put("ONEJOB_DB_URL", "jdbc:postgresql://127.0.0.1:1/none");
    Process process = command.start();
    String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(errors.lines()).allMatch(line -> line.matches(".*broken\\.yaml:\\d+: .+"));
    assertThat(errors).contains("rouet");
  }
}
