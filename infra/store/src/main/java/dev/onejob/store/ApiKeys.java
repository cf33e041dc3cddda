package dev.onejob.store;

import static dev.onejob.store.db.Tables.API_KEYS;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** API keys, by hash: the keys themselves are never stored. */
public final class ApiKeys {

  private final Database database;

  public ApiKeys(Database database) {
    this.database = database;
  }

  /** Whom a key speaks for. Roles: {@code submit}, {@code operate}. */
  public record Principal(String name, String ownerId, Set<String> roles) {}

  /** Registers a key by its SHA-256; a key that is registered already is left as it is. */
  public void register(byte[] sha256, Principal principal) {
    database
        .dsl()
        .insertInto(API_KEYS)
        .set(API_KEYS.HASH, sha256)
        .set(API_KEYS.NAME, principal.name())
        .set(API_KEYS.OWNER_ID, principal.ownerId())
        .set(API_KEYS.ROLES, principal.roles().toArray(String[]::new))
        .onConflictDoNothing()
        .execute();
  }

  public Optional<Principal> find(byte[] sha256) {
    return database
        .dsl()
        .select(API_KEYS.NAME, API_KEYS.OWNER_ID, API_KEYS.ROLES)
        .from(API_KEYS)
        .where(API_KEYS.HASH.eq(sha256))
        .and(API_KEYS.REVOKED_AT.isNull())
        .fetchOptional(
            row -> new Principal(row.value1(), row.value2(), Set.copyOf(List.of(row.value3()))));
  }
}
