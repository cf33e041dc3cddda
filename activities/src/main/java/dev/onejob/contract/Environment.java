package dev.onejob.contract;

import org.jspecify.annotations.Nullable;

/** Where {@code ${env:NAME}} is looked up. */
@FunctionalInterface
public interface Environment {

  /** The value, or null where there is none. */
  @Nullable String get(String name);
}
