/** Real services for development and tests. Never part of production. */
@NullMarked
package dev.onejob.devkit;

import org.jspecify.annotations.NullMarked;
