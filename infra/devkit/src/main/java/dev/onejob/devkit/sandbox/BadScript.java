package dev.onejob.devkit.sandbox;

/** A script that cannot be played; the message says which step and which exist. */
final class BadScript extends IllegalArgumentException {
  BadScript(String message) {
    super(message);
  }
}
