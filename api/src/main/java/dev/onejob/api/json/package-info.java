/** Request bodies and answers as JSON. */
@NullMarked
package dev.onejob.api.json;

import org.jspecify.annotations.NullMarked;
