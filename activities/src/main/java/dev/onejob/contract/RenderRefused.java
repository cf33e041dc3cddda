package dev.onejob.contract;

/** A request that cannot be written: a placeholder has no value. Nothing was sent. */
public final class RenderRefused extends Exception {

  RenderRefused(String reason) {
    super(reason);
  }
}
