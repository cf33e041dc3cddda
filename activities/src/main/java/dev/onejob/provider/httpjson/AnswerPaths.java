package dev.onejob.provider.httpjson;

import dev.onejob.json.JsonPath;
import org.jspecify.annotations.Nullable;

/**
 * Where things are in the body of an answer.
 *
 * @param result absent: the whole body
 * @param reference the provider's name for the request
 * @param cost what it charged
 */
public record AnswerPaths(
    @Nullable JsonPath result, @Nullable JsonPath reference, @Nullable JsonPath cost) {}
