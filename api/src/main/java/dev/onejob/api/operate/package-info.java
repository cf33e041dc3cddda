/** What operators do: attempts, resolutions, the race log. */
@NullMarked
package dev.onejob.api.operate;

import org.jspecify.annotations.NullMarked;
