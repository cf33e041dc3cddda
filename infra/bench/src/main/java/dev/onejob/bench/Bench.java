package dev.onejob.bench;

import io.temporal.client.WorkflowStub;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The product beside its floors. All lines of a round are measured one after the other, and the
 * rounds repeat, so that a machine whose speed drifts is slow for both sides of a ratio.
 */
public final class Bench {

  /** A side of a line: its figure and the processor time it took, round by round. */
  private record Side(List<Double> figures, List<Map<String, Double>> cpu) {
    Side() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    double median() {
      return Samples.median(figures.stream().mapToDouble(Double::doubleValue).toArray());
    }
  }

  private final Settings settings;
  private final String run = Long.toString(System.currentTimeMillis(), 36);
  private final Cpu cpu;
  private final Map<String, Side> sides = new LinkedHashMap<>();
  private int serial;

  private Bench(Settings settings) {
    this.settings = settings;
    this.cpu = new Cpu(settings.pids());
  }

  public static void main(String[] arguments) {
    try {
      new Bench(Settings.read(arguments, System.getenv())).run();
    } catch (Settings.Wrong wrong) {
      System.err.println("bench: " + wrong.getMessage());
      System.exit(2);
    } catch (Exception failed) {
      System.err.println("bench: " + failed.getMessage());
      System.exit(5);
    }
    System.exit(0);
  }

  private void run() throws Exception {
    try (Product product = new Product(settings);
        Bare bare = new Bare();
        Floor floor = new Floor(settings, run)) {
      for (int round = 0; round <= settings.rounds(); round++) {
        boolean warmup = round == 0;
        System.err.println(warmup ? "warming up" : "round " + round + " of " + settings.rounds());
        measureEngine(product, bare, round);
        measureAccepting(product, floor, warmup);
      }
    }
    print();
  }

  /**
   * Product first in odd rounds, floor first in even ones: neither always meets what the other left
   * behind.
   */
  private void measureEngine(Product product, Bare bare, int round) {
    boolean warmup = round == 0;
    List<Runnable> sides =
        new ArrayList<>(
            List.of(() -> measureProduct(product, warmup), () -> measureBare(bare, warmup)));
    (round % 2 == 1 ? sides : sides.reversed()).forEach(Runnable::run);
  }

  private void measureProduct(Product product, boolean warmup) {
    measure(
        "jobs, closed loop",
        warmup,
        () ->
            Load.run(
                    settings.submitters(),
                    settings.jobs(),
                    i -> product.await(product.submit(key())))
                .perSecond());
    measure(
        "jobs, backlog",
        warmup,
        () -> {
          String[] ids = new String[settings.jobs()];
          double submitting =
              Load.run(settings.submitters(), ids.length, i -> ids[i] = product.submit(key()))
                  .seconds();
          double waiting =
              Load.run(settings.submitters(), ids.length, i -> product.await(ids[i])).seconds();
          return ids.length / (submitting + waiting);
        });
  }

  private void measureBare(Bare bare, boolean warmup) {
    measure(
        "bare, closed loop",
        warmup,
        () ->
            Load.run(settings.submitters(), settings.jobs(), i -> Bare.await(bare.start(key())))
                .perSecond());
    measure(
        "bare, backlog",
        warmup,
        () -> {
          WorkflowStub[] workflows = new WorkflowStub[settings.jobs()];
          double starting =
              Load.run(
                      settings.submitters(),
                      workflows.length,
                      i -> workflows[i] = bare.start(key()))
                  .seconds();
          double waiting =
              Load.run(settings.submitters(), workflows.length, i -> Bare.await(workflows[i]))
                  .seconds();
          return workflows.length / (starting + waiting);
        });
  }

  /** POSTs are measured while the jobs that they make are run: that is what a caller meets. */
  private void measureAccepting(Product product, Floor floor, boolean warmup) {
    List<String> ids = java.util.Collections.synchronizedList(new ArrayList<>());
    Load.Result posts =
        Load.run(settings.submitters(), settings.jobs(), i -> ids.add(product.submit(key())));
    var unused = Load.run(settings.submitters(), ids.size(), i -> product.await(ids.get(i)));
    Load.Result inserts =
        Load.run(settings.submitters(), settings.jobs(), i -> floor.insert(next()));
    if (!warmup) {
      for (double share : new double[] {0.5, 0.99}) {
        String p = "p" + Math.round(share * 100);
        side("POST " + p).figures().add(posts.times().percentileMillis(share));
        side("insert " + p).figures().add(inserts.times().percentileMillis(share));
      }
    }
  }

  private interface Figure {
    double get();
  }

  private void measure(String name, boolean warmup, Figure figure) {
    Map<String, Double> before = cpu.seconds();
    double value = figure.get();
    if (!warmup) {
      side(name).figures().add(value);
      side(name).cpu().add(Cpu.since(before, cpu.seconds()));
    }
  }

  private Side side(String name) {
    return sides.computeIfAbsent(name, fresh -> new Side());
  }

  private synchronized int next() {
    return serial++;
  }

  private String key() {
    return "bench-" + run + "-" + next();
  }

  private void print() {
    System.out.printf(
        Locale.ROOT,
        "%s, %d cores, Java %s, %s; %d jobs, %d rounds (medians), %d submitters%n%n",
        LocalDate.now(java.time.ZoneOffset.UTC),
        Runtime.getRuntime().availableProcessors(),
        Runtime.version().feature(),
        System.getProperty("os.name"),
        settings.jobs(),
        settings.rounds(),
        settings.submitters());
    System.out.println("| figure | product | floor | product ÷ floor |");
    System.out.println("|---|---|---|---|");
    line(
        "whole jobs per second, closed loop ÷ bare workflow with one activity",
        "jobs, closed loop",
        "bare, closed loop");
    line(
        "whole jobs per second, as a backlog ÷ bare workflow with one activity",
        "jobs, backlog",
        "bare, backlog");
    line("POST p50, ms ÷ the same insert", "POST p50", "insert p50");
    line("POST p99, ms ÷ the same insert", "POST p99", "insert p99");
    System.out.println();
    System.out.println("CPU seconds per 1,000 jobs, by process (children included):");
    System.out.println();
    sides.forEach(
        (name, side) -> {
          if (!side.cpu().isEmpty()) {
            System.out.println("- " + name + ": " + cpuPerThousand(side));
          }
        });
    System.out.println();
    System.out.println(
        """
        Only the ratios mean anything, and shared machines are noisy: both sides met the same machine in the same minutes.
        POSTs are timed while the jobs they make are running; the same insert goes to a database of its own, with nothing
        else running. The product's callers wait at the API, the bare workflow's at the engine. The bare worker's CPU is
        in "bench", the product's in "application"; the sandbox provider's is not counted.""");
  }

  private void line(String title, String product, String floor) {
    double a = side(product).median();
    double b = side(floor).median();
    double[] ratios = new double[side(product).figures().size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = side(product).figures().get(i) / side(floor).figures().get(i);
    }
    System.out.printf(
        Locale.ROOT, "| %s | %.1f | %.1f | %.2f |%n", title, a, b, Samples.median(ratios));
  }

  private String cpuPerThousand(Side side) {
    return side.cpu().getFirst().keySet().stream()
        .map(
            process ->
                "%s %.1f"
                    .formatted(
                        process,
                        Samples.median(
                                side.cpu().stream()
                                    .mapToDouble(round -> round.getOrDefault(process, 0.0))
                                    .toArray())
                            * 1_000
                            / settings.jobs()))
        .collect(Collectors.joining(", "));
  }
}
