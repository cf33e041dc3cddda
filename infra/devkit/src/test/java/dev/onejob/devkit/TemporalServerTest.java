package dev.onejob.devkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

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
}
