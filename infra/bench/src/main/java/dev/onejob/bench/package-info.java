/**
 * Measures a running instance beside its floors: every figure is a ratio within one run. Never part
 * of production.
 */
@NullMarked
package dev.onejob.bench;

import org.jspecify.annotations.NullMarked;
