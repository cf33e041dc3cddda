package dev.onejob.job;

import java.util.Locale;

/** Why a job closed as FAILED. */
public enum JobFailure {
  /** Every attempt that the operation allows has definitely failed. */
  ATTEMPTS_EXHAUSTED,
  /** Every provider that may be taken has refused in a way that another try cannot change. */
  REFUSED,
  /** The deadline of the whole job passed while no attempt was unresolved. */
  DEADLINE_PASSED,
  /** The intended provider is out and no other one has proven the same contract. */
  NO_CERTIFIED_PROVIDER;

  /** The word used in the API and in the database, for example {@code attempts-exhausted}. */
  public String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static JobFailure ofSlug(String slug) {
    return valueOf(slug.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
