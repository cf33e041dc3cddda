package dev.onejob.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads RFC 8259 JSON and nothing looser; keeps the text exactly and numbers never as doubles. */
public final class StrictJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /**
   * Limits are counted here, the text is bounded before: Jackson's own limits are only out of the
   * way. Names come from strangers, so they are neither interned nor kept in a table that all
   * parsers share.
   */
  private static final JsonFactory JACKSON =
      JsonFactory.builder()
          .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(1_000)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final JsonParser parser;
  private final JsonLimits limits;

  private StrictJson(JsonParser parser, JsonLimits limits) {
    this.parser = parser;
    this.limits = limits;
  }

  /** A text as it was sent, and its tree. */
  public static final class Document {
    private final String text;
    private final JsonNode tree;

    private Document(String text, JsonNode tree) {
      this.text = text;
      this.tree = tree;
    }

    public String text() {
      return text;
    }

    /** The tree, for reading only. */
    public JsonNode tree() {
      return tree;
    }

    /** The source text of the value at the path, exactly as sent; null if there is none. */
    public @Nullable String slice(JsonPath path) {
      return new SourceText(text).at(path);
    }
  }

  public static Document parse(byte[] bytes, JsonLimits limits) {
    return parse(ByteBuffer.wrap(bytes), limits);
  }

  /**
   * Does not move the buffer's position.
   *
   * @throws JsonRefused if the text is not strict JSON or beyond a limit
   */
  public static Document parse(ByteBuffer bytes, JsonLimits limits) {
    if (bytes.remaining() > limits.bodyBytesMax()) {
      throw new JsonRefused(
          JsonRefused.Kind.LIMIT, "body is longer than " + limits.bodyBytesMax() + " bytes");
    }
    String text = decode(bytes.duplicate());
    if (text.startsWith("\uFEFF")) {
      throw new JsonRefused(JsonRefused.Kind.MALFORMED, "byte order mark at line 1, column 1");
    }
    try (JsonParser parser = open(text)) {
      StrictJson reader = new StrictJson(parser, limits);
      try {
        JsonToken first = parser.nextToken();
        if (first == null) {
          throw new JsonRefused(
              JsonRefused.Kind.MALFORMED, "no JSON value" + at(parser.currentLocation()));
        }
        JsonNode tree = reader.value(first, 0);
        reader.end();
        return new Document(text, tree);
      } catch (StreamConstraintsException e) {
        throw reader.beyond("a number, string or name is too long");
      } catch (UnexpectedEndOfInputException e) {
        throw new JsonRefused(JsonRefused.Kind.MALFORMED, "the text ends too early" + where(e));
      } catch (JacksonException e) {
        // Jackson's message would quote the text.
        throw new JsonRefused(JsonRefused.Kind.MALFORMED, "not strict JSON" + where(e));
      }
    }
  }

  /** Whatever stands behind the value is too much, be it JSON or not. */
  private void end() {
    try {
      if (parser.nextToken() == null) {
        return;
      }
    } catch (JacksonException e) {
      throw new JsonRefused(JsonRefused.Kind.MALFORMED, "data after the JSON value" + where(e));
    }
    throw malformed("data after the JSON value");
  }

  private static String decode(ByteBuffer bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(bytes)
          .toString();
    } catch (CharacterCodingException e) {
      throw new JsonRefused(
          JsonRefused.Kind.MALFORMED, "not UTF-8 at byte offset " + bytes.position());
    }
  }

  private static JsonParser open(String text) {
    return JACKSON.createParser(ObjectReadContext.empty(), text);
  }

  private JsonNode value(JsonToken token, int depth) {
    return switch (token) {
      case START_OBJECT -> object(depth + 1);
      case START_ARRAY -> array(depth + 1);
      case VALUE_STRING -> NODES.stringNode(checked(parser.getString()));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getString());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT ->
          throw malformed("not strict JSON");
    };
  }

  private JsonNode object(int depth) {
    deep(depth);
    ObjectNode node = NODES.objectNode();
    while (next() != JsonToken.END_OBJECT) {
      String name = checked(parser.currentName());
      if (node.has(name)) {
        throw malformed("a member name stands twice in one object");
      }
      node.set(name, value(next(), depth));
    }
    return node;
  }

  private JsonNode array(int depth) {
    deep(depth);
    ArrayNode node = NODES.arrayNode();
    for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
      node.add(value(token, depth));
    }
    return node;
  }

  private JsonToken next() {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw malformed("the text ends too early");
    }
    return token;
  }

  private void deep(int depth) {
    if (depth > limits.depthMax()) {
      throw beyond("nested deeper than " + limits.depthMax());
    }
  }

  private JsonNode number(String text) {
    int e = Math.max(text.indexOf('e'), text.indexOf('E'));
    String mantissa = e < 0 ? text : text.substring(0, e);
    if (mantissa.chars().filter(c -> c >= '0' && c <= '9').count() > limits.numberDigitsMax()) {
      throw beyond("a number has more than " + limits.numberDigitsMax() + " digits");
    }
    if (e >= 0 && exponentBeyond(text, e + 1)) {
      throw beyond("an exponent is beyond ±" + limits.exponentMax());
    }
    if (mantissa.length() == text.length() && text.indexOf('.') < 0) {
      return NODES.numberNode(new BigInteger(text));
    }
    return NODES.numberNode(new BigDecimal(text));
  }

  /** Counts digits first: to read a megabyte of them as a number takes half a minute. */
  private boolean exponentBeyond(String text, int start) {
    int at = start;
    while (at < text.length() && "+-0".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    int digits = text.length() - at;
    return digits > 10
        || (digits > 0 && Long.parseLong(text, at, text.length(), 10) > limits.exponentMax());
  }

  private String checked(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        throw malformed("a lone surrogate in a string");
      }
      if (c == 0 && !limits.nulAllowed()) {
        throw malformed("\\u0000 in a string");
      }
      bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
      i += Character.charCount(c);
    }
    if (bytes > limits.stringBytesMax()) {
      throw beyond("a string is longer than " + limits.stringBytesMax() + " bytes");
    }
    return text;
  }

  private JsonRefused malformed(String what) {
    return new JsonRefused(JsonRefused.Kind.MALFORMED, what + where());
  }

  private JsonRefused beyond(String what) {
    return new JsonRefused(JsonRefused.Kind.LIMIT, what + where());
  }

  /** Where the value or name at fault starts; the parser may already be further. */
  private String where() {
    return at(parser.currentTokenLocation());
  }

  private static String where(JacksonException e) {
    TokenStreamLocation location = e.getLocation();
    return location == null ? "" : at(location);
  }

  private static String at(TokenStreamLocation at) {
    return " at line " + at.getLineNr() + ", column " + at.getColumnNr();
  }
}
