package dev.onejob.attempt;

import java.util.Optional;

/** What the configuration of this process can send to. */
@FunctionalInterface
public interface Targets {

  /** Empty when the configuration lacks the operation or the provider. */
  Optional<Target> find(String operation, String provider);
}
