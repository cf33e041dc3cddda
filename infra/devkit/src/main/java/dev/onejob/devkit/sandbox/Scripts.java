package dev.onejob.devkit.sandbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The scripts that were given to whole providers. */
final class Scripts {

  private record Script(List<Step> steps, int left) {}

  private final Map<String, Script> scripts = new HashMap<>();

  /**
   * Replaces the provider's script.
   *
   * @param times for how many requests; 0 = until cleared
   */
  synchronized void put(String provider, List<Step> steps, int times) {
    if (times < 0) {
      throw new BadScript("times=" + times);
    }
    scripts.put(provider, new Script(steps, times));
  }

  synchronized void clear(String provider) {
    scripts.remove(provider);
  }

  /** The steps for the provider's next request, or null if it is not scripted. */
  synchronized @Nullable List<Step> take(String provider) {
    Script script = scripts.get(provider);
    if (script == null) {
      return null;
    }
    if (script.left() == 1) {
      scripts.remove(provider);
    } else if (script.left() > 1) {
      scripts.put(provider, new Script(script.steps(), script.left() - 1));
    }
    return script.steps();
  }
}
