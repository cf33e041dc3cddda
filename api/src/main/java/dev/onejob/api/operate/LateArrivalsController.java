package dev.onejob.api.operate;

import dev.onejob.api.auth.Caller;
import dev.onejob.api.json.Query;
import dev.onejob.store.LateArrivals;
import dev.onejob.store.LateArrivals.LateArrival;
import jakarta.servlet.http.HttpServletRequest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The race log. */
@RestController
public final class LateArrivalsController {

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final long LIMIT_MAX = 200;
  private static final long LIMIT_DEFAULT = 50;

  private final LateArrivals lateArrivals;

  public LateArrivalsController(LateArrivals lateArrivals) {
    this.lateArrivals = lateArrivals;
  }

  @GetMapping("/v1/late-arrivals")
  ResponseEntity<String> list(HttpServletRequest request) {
    Caller.of(request).needs("operate");
    Query query = Query.of(request, "jobId", "provider", "since", "cursor", "limit");
    int limit = Math.toIntExact(query.number("limit", 1, LIMIT_MAX).orElse(LIMIT_DEFAULT));
    List<LateArrival> page =
        lateArrivals.list(
            query.text("jobId").orElse(null),
            query.text("provider").orElse(null),
            query.instant("since").orElse(null),
            query.number("cursor", 1, Long.MAX_VALUE).orElse(null),
            limit + 1);
    boolean more = page.size() > limit;
    List<LateArrival> shown = more ? page.subList(0, limit) : page;
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("lateArrivals", shown.stream().map(LateArrivalsController::json).toList());
    body.put("nextCursor", more ? Long.toString(shown.getLast().id()) : null);
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .body(MAPPER.writeValueAsString(body));
  }

  private static Map<String, Object> json(LateArrival arrival) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("jobId", arrival.jobId());
    json.put("attempt", arrival.attempt());
    json.put("provider", arrival.provider());
    json.put("model", arrival.model());
    json.put("kind", arrival.kind());
    json.put("arrivedAt", arrival.arrivedAt().toInstant().toString());
    json.put("jobOutcome", arrival.jobOutcome());
    Map<String, Object> wonBy = new LinkedHashMap<>();
    wonBy.put("attempt", arrival.wonBy());
    wonBy.put("provider", arrival.winner());
    json.put("wonBy", arrival.wonBy() == null ? null : wonBy);
    json.put("behindMillis", arrival.behindMillis());
    json.put("payloadSha256", HexFormat.of().formatHex(arrival.payloadSha256()));
    json.put("payloadBytes", arrival.payloadBytes());
    json.put("cost", arrival.cost());
    return json;
  }
}
