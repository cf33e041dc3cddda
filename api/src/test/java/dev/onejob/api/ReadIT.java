package dev.onejob.api;

import static dev.onejob.api.Front.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.api.jobs.Waiters;
import dev.onejob.devkit.Api.Answer;
import dev.onejob.job.JobFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadIT {

  private final Front front = Front.shared();

  @Test
  void anUnknownJobSaysSinceWhenAndWhy() {
    String id = front.accepted("print");
    front.begin(id, 1, "inkjet");
    front.doubt(id, 1);
    Answer read = front.owner().get("/v1/jobs/" + id);
    assertThat(read.body().get("state").asString()).isEqualTo("UNKNOWN");
    assertThat(read.body().get("attention").get("why").asString()).isEqualTo("READ_TIMEOUT");
    assertThat(read.body().get("attention").get("attempt").asInt()).isEqualTo(1);
    assertThat(read.body().get("attention").get("since").asString()).endsWith("Z");
    assertThat(read.body().get("attention").has("nextLookupAt")).isTrue();
    assertThat(read.body().get("attempts").get(0).get("providerRef").asString()).isEqualTo("prt_1");
    assertThat(read.body().get("result").isNull()).isTrue();
  }

  @Test
  void aResultOfFiveMegabytesIsServedByteForByte() {
    String id = front.accepted("print");
    front.begin(id, 1, "inkjet");
    String result = "{\"n\":1.00,  \"text\":\"" + "ü€\\u0000".repeat(500_000) + "\"}";
    front.answer(id, 1, result);
    Answer read = front.owner().get("/v1/jobs/" + id);
    assertThat(read.text().contains("\"result\":" + result + ",\"failure\"")).isTrue();
    assertThat(read.body().get("completedBy").toString())
        .isEqualTo("{\"attempt\":1,\"provider\":\"inkjet\",\"model\":\"model-1\"}");
  }

  @Test
  void aFailedJobSaysWhy() {
    String id = front.accepted("print");
    front.begin(id, 1, "inkjet");
    front.fail(id, 1);
    front.ledger.giveUp(id, JobFailure.ATTEMPTS_EXHAUSTED);
    assertThat(front.owner().get("/v1/jobs/" + id).body().get("failure").toString())
        .isEqualTo("{\"reason\":\"attempts-exhausted\",\"attempt\":1,\"why\":\"REJECTED\"}");
  }

  @Test
  void everyTransitionChangesTheEtagAndAnUnchangedJobIs304() {
    String id = front.accepted("print");
    List<String> etags = new ArrayList<>();
    etags.add(etag(id));
    front.begin(id, 1, "inkjet");
    etags.add(etag(id));
    front.doubt(id, 1);
    etags.add(etag(id));
    front.answer(id, 1, "{}");
    etags.add(etag(id));
    assertThat(etags).doesNotHaveDuplicates();
    for (String same :
        List.of(etags.getLast(), "W/" + etags.getLast(), "\"x\", " + etags.getLast())) {
      Answer unchanged = front.owner().get("/v1/jobs/" + id, "If-None-Match", same);
      assertThat(unchanged.status()).as(same).isEqualTo(304);
      assertThat(unchanged.text()).isEmpty();
      assertThat(unchanged.header("ETag")).isEqualTo(etags.getLast());
    }
    assertThat(front.owner().get("/v1/jobs/" + id, "If-None-Match", etags.getFirst()).status())
        .isEqualTo(200);
  }

  private String etag(String id) {
    String etag = front.owner().get("/v1/jobs/" + id).header("ETag");
    assertThat(etag).matches("\"\\d+\\.\\d+\"");
    return String.valueOf(etag);
  }

  @Test
  void everyWaiterIsAnsweredWhenTheLedgerSettles() throws Exception {
    String closes = front.accepted("print");
    String doubted = front.accepted("print");
    front.begin(closes, 1, "inkjet");
    front.begin(doubted, 1, "inkjet");
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> waiting = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        String id = i % 2 == 0 ? closes : doubted;
        waiting.add(
            executor.submit(
                () ->
                    byQuery(id)
                        ? front.owner().get("/v1/jobs/" + id + "?wait=60s")
                        : front.owner().get("/v1/jobs/" + id, "Prefer", "wait=60")));
      }
      Answer stillRunning = front.owner().get("/v1/jobs/" + closes + "?wait=300ms");
      assertThat(stillRunning.body().get("state").asString()).isEqualTo("RUNNING");
      assertThat(waiting).noneMatch(Future::isDone);
      long settled = System.nanoTime();
      front.answer(closes, 1, "{}");
      front.doubt(doubted, 1);
      for (Future<Answer> answer : waiting) {
        assertThat(answer.get().body().get("state").asString()).isIn("SUCCEEDED", "UNKNOWN");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - settled)).isLessThan(Duration.ofSeconds(20));
    }
  }

  private static boolean byQuery(String id) {
    return id.hashCode() % 2 == 0;
  }

  @Test
  void aSettledJobIsNotWaitedFor() {
    String id = front.accepted("print");
    front.begin(id, 1, "inkjet");
    front.doubt(id, 1);
    long asked = System.nanoTime();
    front.owner().get("/v1/jobs/" + id + "?wait=60s");
    assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(20));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wait=soon",
        "wait=-1s",
        "wait=",
        "wait=1h",
        "wait=1s&wait=2s",
        "include=all",
        "state=FAILED"
      })
  void parametersThatAreNotAsDocumentedAreRefused(String query) {
    Answer answer = front.owner().get("/v1/jobs/" + front.accepted("print") + "?" + query);
    assertProblem(answer, 400, query.startsWith("state") ? "unknown-member" : "malformed-json");
  }

  @Test
  void listsThatAreNotThereYetAreRefusedByName() {
    Answer answer = front.owner().get("/v1/jobs?state=FAILED");
    assertProblem(answer, 400, "unknown-member");
    assertThat(answer.body().get("detail").asString()).contains("state");
    assertProblem(front.owner().get("/v1/jobs"), 400, "malformed-json");
  }

  @Test
  void aProcessThatStopsAnswersThoseWhoWait() throws Exception {
    String id = front.accepted("print");
    Front stopping = front.beside(FrontConfig.write());
    CompletableFuture<Answer> waiting =
        CompletableFuture.supplyAsync(() -> stopping.owner().get("/v1/jobs/" + id + "?wait=60s"));
    Waiters waiters = stopping.process().served().getBean(Waiters.class);
    Front.await("the request waits", () -> waiters.waiting() == 1);
    long stopped = System.nanoTime();
    stopping.close();
    assertThat(waiting.get().status()).isEqualTo(200);
    assertThat(waiting.get().body().get("state").asString()).isEqualTo("QUEUED");
    assertThat(Duration.ofNanos(System.nanoTime() - stopped)).isLessThan(Duration.ofSeconds(4));
  }
}
