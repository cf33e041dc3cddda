package dev.onejob.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.onejob.api.problem.Problem;
import dev.onejob.devkit.Api.Answer;
import dev.onejob.job.AttemptState;
import dev.onejob.job.JobState;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The description that is served says what is served, and nothing else. */
class OpenApiIT {

  private final Front front = Front.shared();
  private final JsonNode document = front.anonymous().get("/openapi.json").body();

  @Test
  void everyMappingIsDescribedAndEveryDescriptionIsMapped() {
    Set<String> described = new TreeSet<>();
    document
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .propertyNames()
                    .forEach(
                        method ->
                            described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    Set<String> mapped = new TreeSet<>();
    front
        .process()
        .served()
        .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
        .getHandlerMethods()
        .keySet()
        .forEach(
            mapping ->
                mapping
                    .getPatternValues()
                    .forEach(
                        path ->
                            mapping
                                .getMethodsCondition()
                                .getMethods()
                                .forEach(method -> mapped.add(method + " " + path))));
    mapped.removeIf(mapping -> mapping.endsWith(" /error"));
    mapped.addAll(Set.of("GET /livez", "GET /readyz"));
    assertThat(described).isEqualTo(mapped);
  }

  @Test
  void itsWordsAreTheCodes() {
    JsonNode schemas = document.get("components").get("schemas");
    assertThat(words(schemas.at("/Problem/properties/type/enum")))
        .isEqualTo(set(Arrays.stream(Problem.values()).map(Problem::type).toArray(String[]::new)));
    assertThat(words(schemas.at("/Job/properties/state/enum")))
        .isEqualTo(set(Arrays.stream(JobState.values()).map(Enum::name).toArray(String[]::new)));
    assertThat(words(schemas.at("/Attempt/properties/state/enum")))
        .isEqualTo(
            set(Arrays.stream(AttemptState.values()).map(Enum::name).toArray(String[]::new)));
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    Pattern.compile("\"#(/[^\"]+)\"")
        .matcher(document.toString())
        .results()
        .forEach(
            reference ->
                assertThat(document.at(reference.group(1)).isMissingNode())
                    .as(reference.group(1))
                    .isFalse());
  }

  @Test
  void answersKeepToIt() {
    String id = front.accepted("print");
    assertKeeps("Job", front.owner().get("/v1/jobs/" + id));
    front.begin(id, 1, "inkjet");
    assertKeeps("Job", front.owner().get("/v1/jobs/" + id));
    front.doubt(id, 1);
    assertKeeps("Job", front.owner().get("/v1/jobs/" + id + "?include=input"));
    assertKeeps("Problem", front.owner().post("/v1/jobs/" + id + "/attempts", ""));
    String resolution = "/v1/jobs/" + id + "/attempts/1/resolution";
    assertKeeps(
        "Job",
        front
            .operator()
            .post(
                resolution,
                "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"r\",\"expectedVersion\":1}"));
    front.begin(id, 2, "laser");
    front.answer(id, 1, "{}");
    front.answer(id, 2, "{}");
    assertKeeps("Job", front.owner().get("/v1/jobs/" + id));
    assertKeeps("LateArrivalList", front.operator().get("/v1/late-arrivals?jobId=" + id));
    assertKeeps("JobList", front.owner().get("/v1/jobs?idempotencyKey=none"));
    assertKeeps("Problem", front.submit(Front.key("p"), Front.body("print", "{}")));
  }

  private void assertKeeps(String name, Answer answer) {
    ObjectNode schema = new JsonMapper().createObjectNode();
    schema.put("$ref", "#/components/schemas/" + name);
    schema.set("components", document.get("components"));
    Schema compiled =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(schema);
    assertThat(compiled.validate(answer.body())).as(answer.text()).isEmpty();
  }

  private static Set<String> words(JsonNode array) {
    Set<String> words = new TreeSet<>();
    array.forEach(word -> words.add(word.asString()));
    return words;
  }

  private static Set<String> set(String... words) {
    return new TreeSet<>(Set.of(words));
  }
}
