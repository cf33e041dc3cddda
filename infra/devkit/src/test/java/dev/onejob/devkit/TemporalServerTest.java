package dev.onejob.devkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporalServerTest {

  @Test
  void workflowsSurviveAKillOnTheSamePorts() {
    try (TemporalServer temporal = TemporalServer.start()) {
      String address = temporal.address();
      WorkflowServiceStubs stubs =
          WorkflowServiceStubs.newServiceStubs(
              WorkflowServiceStubsOptions.newBuilder()
                  .setTarget(address)
                  .setRpcTimeout(Duration.ofSeconds(5))
                  .build());
      try {
        WorkflowClient client = WorkflowClient.newInstance(stubs);
        client
            .newUntypedWorkflowStub(
                "Job",
                WorkflowOptions.newBuilder()
                    .setTaskQueue("nobody")
                    .setWorkflowId("job_1")
                    .setTypedSearchAttributes(
                        SearchAttributes.newBuilder()
                            .set(SearchAttributeKey.forKeyword("OneJobOperation"), "print")
                            .set(SearchAttributeKey.forKeyword("OneJobState"), "QUEUED")
                            .build())
                    .build())
            .start();
        assertThat(new Api(temporal.uiUrl(), null).get("/").status()).isEqualTo(200);

        long before = temporal.pid();
        temporal.kill9();
        assertThat(ProcessHandle.of(before)).isEmpty();
        temporal.restart();
        assertThat(temporal.address()).isEqualTo(address);
        assertThat(client.newUntypedWorkflowStub("job_1").describe().getWorkflowType())
            .isEqualTo("Job");

        temporal.pause();
        assertThatThrownBy(
                () ->
                    stubs
                        .blockingStub()
                        .withDeadlineAfter(300, TimeUnit.MILLISECONDS)
                        .getSystemInfo(
                            io.temporal.api.workflowservice.v1.GetSystemInfoRequest
                                .getDefaultInstance()))
            .hasMessageContaining("DEADLINE_EXCEEDED");
        temporal.resume();
        assertThat(client.newUntypedWorkflowStub("job_1").describe().getWorkflowType())
            .isEqualTo("Job");
      } finally {
        stubs.shutdownNow();
      }
      long last = temporal.pid();
      temporal.close();
      assertThat(ProcessHandle.of(last)).isEmpty();
    }
  }

  @Test
  void oneThatEndsAtItsFirstStartsIsBegunAgain(@TempDir Path directory) throws Exception {
    Path count = directory.resolve("count");
    String program = "echo start >> %s; [ $(wc -l < %s) -gt 2 ] || exit 2; exec %s \"$@\"";
    Path cli = script(directory, program.formatted(count, count, TemporalCli.find()));
    new TemporalServer(cli).close();
    assertThat(Files.readAllLines(count)).hasSize(3);
  }

  @Test
  void oneThatNeverStartsTellsWhatItWrote(@TempDir Path directory) throws Exception {
    Path cli = script(directory, "echo panic: no start; exit 2");
    assertThatThrownBy(() -> new TemporalServer(cli))
        .hasMessageContaining("does not start")
        .hasMessageContaining("panic: no start");
  }

  @Test
  void oneThatIsStillStartingEndsWithItsJvm(@TempDir Path directory) throws Exception {
    Path pid = directory.resolve("pid");
    String program = "echo $$ > %s.part; mv %s.part %s; exec sleep 300";
    Path cli = script(directory, program.formatted(pid, pid, pid));
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Starter.class.getName(),
                cli.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("jvm.log").toFile())
            .start();
    try {
      while (!Files.exists(pid)) {
        assertThat(jvm.isAlive()).isTrue();
        Thread.sleep(20);
      }
      long server = Long.parseLong(Files.readString(pid).strip());
      jvm.destroy();
      assertThat(jvm.waitFor(30, TimeUnit.SECONDS)).isTrue();
      ProcessHandle.of(server)
          .ifPresent(left -> left.onExit().orTimeout(30, TimeUnit.SECONDS).join());
      assertThat(ProcessHandle.of(server)).isEmpty();
    } finally {
      jvm.destroyForcibly();
    }
  }

  static final class Starter {
    public static void main(String[] arguments) {
      new TemporalServer(Path.of(arguments[0]));
    }
  }

  private static Path script(Path directory, String program) throws IOException {
    Path script = Files.writeString(directory.resolve("temporal"), "#!/bin/sh\n" + program + "\n");
    script.toFile().setExecutable(true);
    return script;
  }
}
