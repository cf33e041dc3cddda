/**
 * The provider port: what an attempt may ask of a provider and what it may hear back. One package
 * per adapter lies below. Nothing about jobs, the ledger or Temporal may enter: a provider knows
 * one exchange at a time and never decides whether there is another.
 */
@NullMarked
package dev.onejob.provider;

import org.jspecify.annotations.NullMarked;
