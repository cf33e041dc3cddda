package dev.onejob.contract;

import dev.onejob.json.JsonPath;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.Idempotency;
import dev.onejob.provider.Provider;
import dev.onejob.provider.Timeouts;
import dev.onejob.provider.httpjson.AnswerPaths;
import dev.onejob.provider.httpjson.ContentType;
import dev.onejob.provider.httpjson.HttpJsonProvider;
import dev.onejob.provider.httpjson.HttpJsonSettings;
import dev.onejob.provider.httpjson.StatusWord;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** Reads one file of {@code providers/}. */
final class ProviderReader {

  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private static final Pattern MODEL = Pattern.compile("[^\\p{Cntrl}]{1,200}");

  private final Members members;
  private final String name;

  ProviderReader(Members members, String name) {
    this.members = members;
    this.name = name;
  }

  /** Null when something that is needed was refused; the reasons are with the source. */
  @Nullable Provider read() {
    members.take("provider");
    adapter();
    String model = model();
    HttpUrl base = baseUrl();
    HeaderReader headers = new HeaderReader();
    headers.auth(members);
    Timeouts timeouts = timeouts();
    String method = "POST";
    ContentType contentType = ContentType.JSON;
    String path = "";
    Members request = members.takeMembers("request");
    if (request != null) {
      String declared = request.takeWord("method", List.of("POST", "PUT", "PATCH"));
      method = declared == null ? method : declared;
      contentType = contentType(request);
      path = path(request);
      headers.more(request);
      request.nothingElse();
    }
    AnswerPaths answer = answer();
    Map<Integer, StatusWord> statuses = statuses();
    Capabilities capabilities = new Capabilities(idempotency(headers));
    members.notYet(
        "accepted",
        "lookup",
        "cancel",
        "callback",
        "limits",
        "tokenizer",
        "contextWindow",
        "prices");
    members.nothingElse();
    HttpUrl url = base == null ? null : url(base, path);
    if (url == null) {
      return null;
    }
    HttpJsonSettings settings =
        new HttpJsonSettings(
            name,
            model,
            url,
            method,
            contentType,
            headers.headers(),
            answer,
            statuses,
            capabilities,
            timeouts);
    return new HttpJsonProvider(settings, Clock.systemUTC());
  }

  private void adapter() {
    String adapter = members.requireText("adapter");
    if (adapter == null || adapter.equals("http-json")) {
      return;
    }
    members.problem(
        "adapter",
        adapter.equals("openai-chat")
            ? "openai-chat is not available yet"
            : "must be one of http-json, openai-chat");
  }

  /** It is stored with every attempt. */
  private @Nullable String model() {
    String model = members.takeText("model");
    if (model != null && !MODEL.matcher(model).matches()) {
      members.problem("model", "must be at most 200 printable characters on one line");
      return null;
    }
    return model;
  }

  private @Nullable HttpUrl baseUrl() {
    String text = members.requireText("baseUrl");
    if (text == null) {
      return null;
    }
    HttpUrl url = HttpUrl.parse(text);
    // Never quoted: it may hold what the environment filled in.
    if (url == null) {
      members.problem("baseUrl", "must be an http or https URL");
      return null;
    }
    if (!url.username().isEmpty() || !url.password().isEmpty()) {
      members.problem("baseUrl", "must not hold a user or password; see auth");
      return null;
    }
    if (url.query() != null || url.fragment() != null) {
      members.problem("baseUrl", "must end with its path");
      return null;
    }
    return url;
  }

  private @Nullable HttpUrl url(HttpUrl base, String path) {
    String start = base.toString();
    String stem = start.endsWith("/") ? start.substring(0, start.length() - 1) : start;
    return HttpUrl.parse(stem + path);
  }

  private static String path(Members request) {
    String path = request.takeText("path");
    if (path == null) {
      return "";
    }
    if (!path.startsWith("/") || path.contains("#") || path.chars().anyMatch(c -> c <= ' ')) {
      request.problem("path", "must start with '/'");
      return "";
    }
    if (path.contains("{")) {
      request.problem("path", "takes no placeholders");
      return "";
    }
    return path;
  }

  private static ContentType contentType(Members request) {
    String json = ContentType.JSON.mediaType();
    String form = ContentType.FORM.mediaType();
    String word = request.takeWord("contentType", List.of(json, form));
    return form.equals(word) ? ContentType.FORM : ContentType.JSON;
  }

  private Timeouts timeouts() {
    Timeouts standard = Timeouts.DEFAULT;
    Members timeouts = members.takeMembers("timeouts");
    if (timeouts == null) {
      return standard;
    }
    Duration call = timeouts.takeDuration("call", MILLISECOND, WEEK, standard.call());
    // A short call shortens the default of connect with it.
    Duration absent = standard.connect().compareTo(call) < 0 ? standard.connect() : call;
    Duration connect = timeouts.takeDuration("connect", MILLISECOND, WEEK, absent);
    Duration linger = timeouts.takeDuration("linger", Duration.ZERO, WEEK, standard.linger());
    timeouts.nothingElse();
    if (connect.compareTo(call) > 0) {
      timeouts.problem("connect", "must not be longer than timeouts.call");
      return standard;
    }
    return new Timeouts(connect, call, linger);
  }

  private AnswerPaths answer() {
    Members answer = members.takeMembers("answer");
    if (answer == null) {
      return new AnswerPaths(null, null, null);
    }
    AnswerPaths paths =
        new AnswerPaths(
            jsonPath(answer, "result"), jsonPath(answer, "reference"), jsonPath(answer, "cost"));
    answer.nothingElse();
    return paths;
  }

  private static @Nullable JsonPath jsonPath(Members answer, String member) {
    String text = answer.takeText(member);
    if (text == null) {
      return null;
    }
    try {
      return JsonPath.parse(text);
    } catch (IllegalArgumentException e) {
      answer.problem(member, "is no JSON path: " + e.getMessage());
      return null;
    }
  }

  private Map<Integer, StatusWord> statuses() {
    Members statuses = members.takeMembers("statuses");
    if (statuses == null) {
      return Map.of();
    }
    Map<Integer, StatusWord> words = new HashMap<>();
    for (String code : statuses.names()) {
      String word =
          statuses.takeWord(code, List.of("REFUSED", "REFUSED_RETRYABLE", "NOT_SENT", "UNKNOWN"));
      if (!code.matches("[345][0-9][0-9]")) {
        statuses.problemAtName(
            code, "'statuses' takes codes from 300 to 599: a 2xx is what its body says");
      } else if (word != null) {
        words.put(Integer.valueOf(code), StatusWord.valueOf(word));
      }
    }
    return words;
  }

  private @Nullable Idempotency idempotency(HeaderReader headers) {
    Members idempotency = members.takeMembers("idempotency");
    if (idempotency == null) {
      return null;
    }
    String header = headers.nameOf(idempotency, "header");
    Duration none = Duration.ZERO;
    Duration window =
        idempotency.require("window") == null
            ? none
            : idempotency.takeDuration("window", MILLISECOND, Duration.ofDays(3650), none);
    idempotency.nothingElse();
    if (header != null && headers.headers().keySet().stream().anyMatch(header::equalsIgnoreCase)) {
      idempotency.problem("header", "is set elsewhere already");
    }
    return header == null || window.isZero() ? null : new Idempotency(header, window);
  }
}
