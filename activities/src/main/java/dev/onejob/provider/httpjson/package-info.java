/**
 * The {@code http-json} adapter: one POST, one answer, and one table that turns foreign status
 * codes into our words. Nothing here ever sends a request twice.
 */
@NullMarked
package dev.onejob.provider.httpjson;

import org.jspecify.annotations.NullMarked;
