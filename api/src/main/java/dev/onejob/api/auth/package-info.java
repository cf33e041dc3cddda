/** Who calls: API keys, owners, roles. */
@NullMarked
package dev.onejob.api.auth;

import org.jspecify.annotations.NullMarked;
