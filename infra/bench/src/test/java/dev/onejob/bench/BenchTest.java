package dev.onejob.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "ONEJOB_URL",
          "http://127.0.0.1:1",
          "ONEJOB_API_KEY",
          "k",
          "ONEJOB_DB_URL",
          "jdbc:postgresql://x/y");

  @Test
  void aPercentileIsATimeThatWasMeasured() {
    Samples hundred =
        new Samples(LongStream.rangeClosed(1, 100).map(n -> (101 - n) * 1_000_000).toArray());
    assertThat(hundred.percentileMillis(0.5)).isEqualTo(50);
    assertThat(hundred.percentileMillis(0.99)).isEqualTo(99);
    assertThat(hundred.percentileMillis(1)).isEqualTo(100);
    assertThat(new Samples(new long[] {7_000_000}).percentileMillis(0.99)).isEqualTo(7);
    assertThat(Samples.median(new double[] {3, 1, 2})).isEqualTo(2);
    assertThat(Samples.median(new double[] {4, 1, 2, 3})).isEqualTo(2.5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--jobs",
        "--jobs x",
        "--jobs 0",
        "--jobs 100001",
        "--submitters 257",
        "--jobs 3",
        "--fast 1"
      })
  void whatCannotBeMeasuredIsRefusedBeforeItStarts(String arguments) {
    assertThatThrownBy(() -> Settings.read(arguments.split(" "), ENVIRONMENT))
        .isInstanceOf(Settings.Wrong.class);
  }

  @Test
  void withoutAnInstanceItSaysHowToStartOne() {
    assertThatThrownBy(() -> Settings.read(new String[0], Map.of()))
        .isInstanceOf(Settings.Wrong.class)
        .hasMessageContaining("infra/onejob up");
  }

  @Test
  void everySubmitterTakesItsShareAndNothingIsDoneTwice() {
    java.util.Set<Integer> done = java.util.concurrent.ConcurrentHashMap.newKeySet();
    Load.Result result = Load.run(8, 1_000, i -> assertThat(done.add(i)).isTrue());
    assertThat(done).hasSize(1_000);
    assertThat(result.times().nanos()).hasSize(1_000);
  }
}
