package dev.onejob.devkit.sandbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What arrived and what was done, in order: the truth that tests compare everything else with. */
final class Ledger {

  /** One piece of work at one provider; requests of the same key share it. */
  static final class Work {
    final String id = "prt_" + UUID.randomUUID().toString().replace("-", "");
    final @Nullable String key;
    final ObjectNode result;
    private boolean executed;
    private boolean accepted;
    private Step.@Nullable Answer answer;

    private Work(@Nullable String key, ObjectNode result) {
      this.key = key;
      this.result = result;
    }
  }

  /** One request; its changing half is guarded by the ledger's lock. */
  static final class Entry {
    final Work work;
    private final long n;
    private final String provider;
    private final @Nullable String job;
    private final Instant at = Instant.now();
    private final String bodySha256;
    private boolean executed;
    private boolean deduplicated;
    private @Nullable String answered;
    private boolean clientLeft;

    private Entry(
        Work work,
        long n,
        String provider,
        @Nullable String job,
        String sha,
        boolean deduplicated) {
      this.work = work;
      this.n = n;
      this.provider = provider;
      this.job = job;
      this.bodySha256 = sha;
      this.deduplicated = deduplicated;
    }

    private Received snapshot() {
      return new Received(
          n, provider, work.key, job, at, bodySha256, executed, deduplicated, answered, clientLeft);
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, List<Entry>> byJob = new HashMap<>();
  private final Map<String, Work> byKey = new HashMap<>();
  private final Map<String, Work> byId = new HashMap<>();

  Entry receive(
      String provider, @Nullable String key, String sha, ObjectNode result, boolean dedup) {
    lock.lock();
    try {
      String name = provider + '\n' + key;
      Work known = key == null || !dedup ? null : byKey.get(name);
      Work work = known == null ? new Work(key, result) : known;
      if (known == null) {
        byId.put(provider + '\n' + work.id, work);
        if (key != null) {
          byKey.put(name, work);
        }
      }
      String job = jobOf(key);
      Entry entry = new Entry(work, entries.size() + 1L, provider, job, sha, work.executed);
      entries.add(entry);
      if (job != null) {
        byJob.computeIfAbsent(job, _ -> new ArrayList<>()).add(entry);
      }
      changed.signalAll();
      return entry;
    } finally {
      lock.unlock();
    }
  }

  private static @Nullable String jobOf(@Nullable String key) {
    if (key == null) {
      return null;
    }
    int slash = key.indexOf('/');
    return slash < 0 ? key : key.substring(0, slash);
  }

  /** The side effect, unless another request of the same key already caused it. */
  void execute(Entry entry) {
    change(
        () -> {
          if (entry.work.executed) {
            entry.deduplicated = !entry.executed;
          } else {
            entry.work.executed = true;
            entry.executed = true;
          }
        });
  }

  void accept(Entry entry) {
    change(() -> entry.work.accepted = true);
  }

  void answered(Entry entry, String what) {
    change(() -> entry.answered = what);
  }

  /** In one change: whoever sees the one sees the other. */
  void leftUnanswered(Entry entry) {
    change(
        () -> {
          entry.answered = "client-left";
          entry.clientLeft = true;
        });
  }

  void clientLeft(Entry entry) {
    change(() -> entry.clientLeft = true);
  }

  boolean deduplicated(Entry entry) {
    return read(() -> entry.deduplicated);
  }

  /** The answer as it goes out, kept so that a repetition of the key gets the same one. */
  Step.Answer settle(Entry entry, Step.Answer asked) {
    return read(
        () -> {
          if (asked.equals(Step.Answer.NORMAL) && entry.work.answer != null) {
            return Objects.requireNonNull(entry.work.answer);
          }
          if (entry.executed && asked.status() / 100 == 2) {
            entry.work.answer = asked;
          }
          return asked;
        });
  }

  /** What the provider tells about work: nothing unless it took it on. */
  @Nullable ObjectNode lookup(String provider, String keyOrId, boolean isKey) {
    return read(
        () -> {
          Work work = (isKey ? byKey : byId).get(provider + '\n' + keyOrId);
          return work == null || !(work.executed || work.accepted) ? null : describe(work);
        });
  }

  ObjectNode describe(Entry entry) {
    return read(() -> describe(entry.work));
  }

  private static ObjectNode describe(Work work) {
    ObjectNode told = Json.MAPPER.createObjectNode().put("id", work.id).put("key", work.key);
    told.put("status", work.executed ? "done" : "working");
    if (work.executed) {
      told.set("result", resultOf(work));
    }
    return told;
  }

  /** A scripted answer's result is the work's result, for the lookup as for the answer. */
  private static JsonNode resultOf(Work work) {
    if (work.answer != null && work.answer.body() != null) {
      var body = Json.MAPPER.readTree(work.answer.body());
      return body.has("result") ? body.get("result") : work.result;
    }
    return work.result;
  }

  List<Received> received(@Nullable String provider, @Nullable String key, @Nullable String job) {
    return read(
        () ->
            (job == null ? entries : byJob.getOrDefault(job, List.of()))
                .stream()
                    .filter(entry -> provider == null || provider.equals(entry.provider))
                    .filter(entry -> key == null || key.equals(entry.work.key))
                    .map(Entry::snapshot)
                    .toList());
  }

  /** The first request that is as asked for, as soon as there is one. */
  Received await(Predicate<Received> asked, Duration patience) throws InterruptedException {
    long left = patience.toNanos();
    lock.lockInterruptibly();
    try {
      while (true) {
        for (Entry entry : entries) {
          Received received = entry.snapshot();
          if (asked.test(received)) {
            return received;
          }
        }
        if (left <= 0) {
          throw new AssertionError(
              "no such request within "
                  + patience
                  + "; the last of "
                  + entries.size()
                  + ": "
                  + (entries.isEmpty() ? "-" : entries.getLast().snapshot()));
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  void clear() {
    change(
        () -> {
          entries.clear();
          byJob.clear();
          byKey.clear();
          byId.clear();
        });
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private <T extends @Nullable Object> T read(Supplier<T> reading) {
    lock.lock();
    try {
      return reading.get();
    } finally {
      lock.unlock();
    }
  }
}
