package dev.onejob.bench;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The floor: a workflow with one activity that does nothing, on the same engine with the same
 * settings of the SDK.
 */
final class Bare implements AutoCloseable {

  private static final String QUEUE = "onejob-bench-bare";

  @WorkflowInterface
  public interface BareWorkflow {
    @WorkflowMethod(name = "BenchBare")
    String run(String id);
  }

  @ActivityInterface
  public interface BareActivity {
    String nothing(String id);
  }

  public static final class RealBareWorkflow implements BareWorkflow {
    private final BareActivity activity =
        Workflow.newActivityStub(
            BareActivity.class,
            ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofMinutes(1))
                .setDisableEagerExecution(false)
                .build());

    @Override
    public String run(String id) {
      return activity.nothing(id);
    }
  }

  private final WorkflowServiceStubs stubs;
  private final WorkflowClient client;
  private final WorkerFactory factory;

  Bare() throws IOException {
    ClientConfigProfile profile = ClientConfigProfile.load();
    stubs = WorkflowServiceStubs.newServiceStubs(profile.toWorkflowServiceStubsOptions());
    client = WorkflowClient.newInstance(stubs, profile.toWorkflowClientOptions());
    factory =
        WorkerFactory.newInstance(
            client,
            WorkerFactoryOptions.newBuilder()
                .setUsingVirtualWorkflowThreads(true)
                .setWorkflowCacheSize(1_000)
                .setMaxWorkflowThreadCount(4_000)
                .build());
    Worker worker =
        factory.newWorker(
            QUEUE,
            WorkerOptions.newBuilder()
                .setUsingVirtualThreads(true)
                .setMaxConcurrentActivityExecutionSize(2_000)
                .setMaxConcurrentWorkflowTaskExecutionSize(200)
                .setDefaultDeadlockDetectionTimeout(Duration.ofSeconds(10).toMillis())
                .build());
    worker.registerWorkflowImplementationTypes(RealBareWorkflow.class);
    BareActivity nothing = id -> id;
    worker.registerActivitiesImplementations(nothing);
    factory.start();
  }

  WorkflowStub start(String id) {
    WorkflowStub workflow =
        client.newUntypedWorkflowStub(
            "BenchBare",
            WorkflowOptions.newBuilder()
                .setWorkflowId(id)
                .setTaskQueue(QUEUE)
                .setDisableEagerExecution(false)
                .build());
    workflow.start(id);
    return workflow;
  }

  static void await(WorkflowStub workflow) {
    workflow.getResult(String.class);
  }

  @Override
  public void close() {
    factory.shutdownNow();
    factory.awaitTermination(5, TimeUnit.SECONDS);
    stubs.shutdownNow();
  }
}
