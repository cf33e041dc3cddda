package dev.onejob.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Processor time by process, children included, from {@code /proc} (proc_pid_stat(5)). Empty where
 * there is none.
 */
final class Cpu {

  private static final double TICKS_PER_SECOND = 100;

  private final Map<String, Long> processes = new LinkedHashMap<>();

  Cpu(Map<String, Optional<String>> pids) {
    pids.forEach((name, pid) -> pid.ifPresent(number -> processes.put(name, Long.valueOf(number))));
    processes.put("bench", ProcessHandle.current().pid());
  }

  /** Seconds that each process has used so far. */
  Map<String, Double> seconds() {
    Map<String, Double> seconds = new LinkedHashMap<>();
    processes.forEach(
        (name, pid) -> {
          double used = ticks(pid, true);
          for (ProcessHandle child :
              ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).toList()) {
            used += ticks(child.pid(), false);
          }
          if (used > 0) {
            seconds.put(name, used / TICKS_PER_SECOND);
          }
        });
    return seconds;
  }

  private static double ticks(long pid, boolean withEndedChildren) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      double ticks = Double.parseDouble(fields[11]) + Double.parseDouble(fields[12]);
      return withEndedChildren
          ? ticks + Double.parseDouble(fields[13]) + Double.parseDouble(fields[14])
          : ticks;
    } catch (IOException gone) {
      return 0;
    }
  }

  static Map<String, Double> since(Map<String, Double> before, Map<String, Double> after) {
    Map<String, Double> used = new LinkedHashMap<>();
    after.forEach((name, seconds) -> used.put(name, seconds - before.getOrDefault(name, 0.0)));
    return used;
  }
}
