package dev.onejob.store;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where PostgreSQL is.
 *
 * @param url {@code jdbc:postgresql://host:port/database} or {@code
 *     postgresql://[user[:password]@]host[:port]/database}
 * @param poolSize connections of this process, at most
 * @param connectTimeout how long a caller waits for a connection before the database counts as
 *     unavailable
 */
public record DatabaseSettings(
    String url,
    @Nullable String user,
    @Nullable String password,
    int poolSize,
    Duration connectTimeout) {

  public DatabaseSettings {
    if (poolSize < 1) {
      throw new IllegalArgumentException("poolSize=" + poolSize);
    }
    if (url.startsWith("postgresql://") || url.startsWith("postgres://")) {
      URI uri = URI.create(url);
      String[] who = uri.getUserInfo() == null ? new String[0] : uri.getUserInfo().split(":", 2);
      user = user == null && who.length > 0 ? who[0] : user;
      password = password == null && who.length > 1 ? who[1] : password;
      url =
          "jdbc:postgresql://"
              + uri.getHost()
              + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
              + uri.getRawPath()
              + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    } else if (!url.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException(
          "not a PostgreSQL URL (jdbc:postgresql://… or postgresql://…)");
    }
  }

  public static DatabaseSettings of(String url, @Nullable String user, @Nullable String password) {
    return new DatabaseSettings(url, user, password, 16, Duration.ofSeconds(3));
  }

  public DatabaseSettings withPoolSize(int size) {
    return new DatabaseSettings(url, user, password, size, connectTimeout);
  }

  @Override
  public String toString() {
    return "DatabaseSettings[" + url + "]";
  }
}
