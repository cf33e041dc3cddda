package dev.onejob.store;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jooq.Param;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Bind values of statements written as text, typed also where they are null. */
final class Sql {

  static Param<String> val(@Nullable String value) {
    return DSL.val(value, SQLDataType.CLOB);
  }

  static Param<byte[]> val(byte[] value) {
    return DSL.val(value, SQLDataType.BLOB);
  }

  static Param<Boolean> val(boolean value) {
    return DSL.val(value, SQLDataType.BOOLEAN);
  }

  static Param<Short> val(short value) {
    return DSL.val(value, SQLDataType.SMALLINT);
  }

  static Param<Integer> val(int value) {
    return DSL.val(value, SQLDataType.INTEGER);
  }

  static Param<Long> val(long value) {
    return DSL.val(value, SQLDataType.BIGINT);
  }

  static Param<OffsetDateTime> val(@Nullable Instant value) {
    return DSL.val(
        value == null ? null : value.atOffset(ZoneOffset.UTC), SQLDataType.TIMESTAMPWITHTIMEZONE);
  }

  private Sql() {}
}
