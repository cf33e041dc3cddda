package dev.onejob.contract;

/**
 * One place where an input does not keep to its schema.
 *
 * @param pointer JSON Pointer (RFC 6901) to the value; empty for the whole input
 * @param message what the schema wants there
 */
public record Violation(String pointer, String message) {}
