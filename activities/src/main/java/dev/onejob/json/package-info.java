/** Strict JSON, its canonical form and its fingerprint. */
@NullMarked
package dev.onejob.json;

import org.jspecify.annotations.NullMarked;
