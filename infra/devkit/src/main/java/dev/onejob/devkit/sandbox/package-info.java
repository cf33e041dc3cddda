/**
 * Providers that fail on purpose: a real HTTP server, scripted on the wire, with a ledger that
 * tells what truly happened. Nothing in here may know the application that calls it.
 */
@NullMarked
package dev.onejob.devkit.sandbox;

import org.jspecify.annotations.NullMarked;
