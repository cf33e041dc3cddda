package dev.onejob.bench;

import java.util.Arrays;

/** Measured times of one kind, in nanoseconds. */
record Samples(long[] nanos) {

  Samples {
    if (nanos.length == 0) {
      throw new IllegalArgumentException("no samples");
    }
    nanos = nanos.clone();
    Arrays.sort(nanos);
  }

  /** The smallest time that at least this share of all did not exceed, in milliseconds. */
  double percentileMillis(double share) {
    int rank = (int) Math.ceil(share * nanos.length);
    return nanos[Math.max(0, rank - 1)] / 1e6;
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
