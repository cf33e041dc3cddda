package dev.onejob.contract;

import dev.onejob.provider.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import okhttp3.Credentials;
import org.jspecify.annotations.Nullable;

/** Collects the fixed headers of a provider. No message of it ever quotes a value. */
final class HeaderReader {

  /** RFC 9110, section 5.6.2: a token. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");

  /** Visible ASCII, spaces and tabs inside: a line break would start another header. */
  private static final Pattern VALUE =
      Pattern.compile("[\\x21-\\x7e]([\\t\\x20-\\x7e]*[\\x21-\\x7e])?");

  /** What frames a message is not for a configuration to say. */
  private static final Set<String> RESERVED =
      Set.of(
          "accept-encoding",
          "connection",
          "content-length",
          "content-type",
          "expect",
          "host",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private final Map<String, Secret> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  Map<String, Secret> headers() {
    return headers;
  }

  /** The member {@code auth}: a header and its value, or {@code basic}. */
  void auth(Members provider) {
    Members auth = provider.takeMembers("auth");
    if (auth == null) {
      return;
    }
    auth.notYet("hmac");
    Members basic = auth.takeMembers("basic");
    if (basic != null) {
      basic(basic);
    } else if (auth.names().contains("header") || auth.names().contains("value")) {
      String name = nameOf(auth, "header");
      String value = valueOf(auth, "value", auth.requireText("value"));
      put(name, value);
    } else if (!auth.names().contains("basic") && !auth.names().contains("hmac")) {
      provider.problem("auth", "must be {header, value} or {basic: {user, password}}");
    }
    auth.nothingElse();
  }

  private void basic(Members basic) {
    String user = basic.requireText("user");
    String password = basic.requireText("password");
    basic.nothingElse();
    if (user != null && user.contains(":")) {
      basic.problem("user", "must not hold a colon");
    } else if (user != null && password != null) {
      put("Authorization", Credentials.basic(user, password, StandardCharsets.UTF_8));
    }
  }

  /** The member {@code request.headers}. */
  void more(Members request) {
    Members more = request.takeMembers("headers");
    if (more == null) {
      return;
    }
    for (String name : more.names()) {
      String value = valueOf(more, name, more.takeText(name));
      if (!usable(name)) {
        more.problemAtName(name, "'" + name + "' is no header that can be set");
      } else if (headers.containsKey(name)) {
        more.problemAtName(name, "'" + name + "' is set twice");
      } else {
        put(name, value);
      }
    }
  }

  /** A member that names a header. */
  @Nullable String nameOf(Members members, String member) {
    String name = members.requireText(member);
    if (name != null && !usable(name)) {
      members.problem(member, "is no header that can be set");
      return null;
    }
    return name;
  }

  private static @Nullable String valueOf(Members members, String member, @Nullable String value) {
    if (value != null && !VALUE.matcher(value).matches()) {
      members.problem(member, "must be visible ASCII on one line");
      return null;
    }
    return value;
  }

  private void put(@Nullable String name, @Nullable String value) {
    if (name != null && value != null) {
      headers.put(name, new Secret(value));
    }
  }

  private static boolean usable(String name) {
    return NAME.matcher(name).matches() && !RESERVED.contains(name.toLowerCase(Locale.ROOT));
  }
}
