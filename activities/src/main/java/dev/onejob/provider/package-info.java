/** The provider port, its declared capabilities, and one package per adapter. */
@NullMarked
package dev.onejob.provider;

import org.jspecify.annotations.NullMarked;
