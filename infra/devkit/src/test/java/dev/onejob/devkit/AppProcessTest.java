package dev.onejob.devkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AppProcessTest {

  private static AppProcess.Builder tiny() {
    return AppProcess.builder().main(TinyApp.class.getName());
  }

  @Test
  void itRunsIsFrozenAndStopsInOrder() {
    try (AppProcess app = tiny().roles("api", "worker").start()) {
      assertThat(app.api("key").get("/").body().path("roles").stringValue())
          .isEqualTo("api,worker");
      app.pause();
      assertThatThrownBy(() -> app.await("/livez", Duration.ofMillis(200)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("/livez is not 200 within");
      app.resume();
      app.await("/livez", Duration.ofSeconds(10));
      assertThat(app.stop()).isEqualTo(143);
      assertThat(app.output()).contains("listening on " + app.url()).contains("stopping in order");
    }
  }

  @Test
  void aKillIsImmediateAndClosingAlwaysEndsIt() {
    AppProcess app = tiny().awaitLivez().start();
    app.kill9();
    assertThat(app.isAlive()).isFalse();
    assertThat(app.output()).doesNotContain("stopping in order");
    app.close();
    AppProcess other = tiny().start();
    other.pause();
    other.close();
    assertThat(other.isAlive()).isFalse();
  }

  @Test
  void aRefusedStartShowsItsLog() {
    AppProcess.Builder refusing = tiny().env("TINY_REFUSE", "yes");
    assertThatThrownBy(refusing::start)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("ended with 1")
        .hasMessageContaining("providers/x.yaml:3: unknown member");
    try (AppProcess app = refusing.launch()) {
      assertThat(app.awaitExit(Duration.ofSeconds(10))).isEqualTo(1);
    }
  }
}
