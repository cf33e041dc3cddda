package dev.onejob.api;

import static dev.onejob.api.Front.assertProblem;
import static dev.onejob.api.Front.body;
import static dev.onejob.api.Front.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.devkit.Api.Answer;
import dev.onejob.devkit.Postgres;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutageIT {

  @Test
  void aDatabaseThatIsAwayIsSaidSoAndForgottenWhenItIsBack(@TempDir Path data) throws Exception {
    // Durable: the replay at the end must find what was accepted before the kill.
    try (Postgres postgres = Postgres.durable(data);
        Front front = Front.on(postgres)) {
      String print = body("print", "{\"document\":\"x\"}");
      String key = key("outage");
      String id = front.submit(key, print).body().get("id").asString();
      postgres.kill9();
      for (Answer away :
          new Answer[] {
            front.submit(key("away"), print),
            front.owner().get("/v1/jobs/" + id),
            front.as("a-key-nobody-remembers").get("/v1/jobs/" + id)
          }) {
        assertProblem(away, 503, "database-unavailable");
        assertThat(away.header("Retry-After")).isEqualTo("1");
      }
      assertThat(front.anonymous().get("/readyz").status()).isEqualTo(503);
      assertThat(front.anonymous().get("/livez").status()).isEqualTo(200);
      postgres.restart();
      Front.await("ready again", () -> front.anonymous().get("/readyz").status() == 200);
      Answer replay = front.submit(key, print);
      assertThat(replay.status()).as(replay.text()).isEqualTo(200);
      assertThat(replay.body().get("id").asString()).isEqualTo(id);
    }
  }
}
