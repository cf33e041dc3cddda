package dev.onejob.json;

/**
 * What a JSON text may cost at most. Sizes are UTF-8 bytes, digits are those before an exponent.
 *
 * @param nulAllowed whether {@code \u0000} may stand in strings: in answers, kept as text, it may
 */
public record JsonLimits(
    int bodyBytesMax,
    int depthMax,
    int numberDigitsMax,
    int exponentMax,
    int stringBytesMax,
    boolean nulAllowed) {
  private static final int MIB = 1 << 20;

  /** For what clients send. */
  public static final JsonLimits DEFAULT = new JsonLimits(MIB, 100, 1000, 1000, MIB, false);

  /** For what providers answer. */
  public static final JsonLimits ANSWER = new JsonLimits(16 * MIB, 100, 1000, 1000, 16 * MIB, true);

  public JsonLimits {
    atLeastOne("bodyBytesMax", bodyBytesMax);
    atLeastOne("depthMax", depthMax);
    atLeastOne("numberDigitsMax", numberDigitsMax);
    atLeastOne("exponentMax", exponentMax);
    atLeastOne("stringBytesMax", stringBytesMax);
    // Reading, comparing and writing recurse; a deeper tree could overflow the stack.
    if (depthMax > 500) {
      throw new IllegalArgumentException("depthMax=" + depthMax);
    }
  }

  private static void atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + "=" + value);
    }
  }
}
