import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions.Style;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks or applies google-java-format over the whole tree: {@code Format check|apply ROOT}. */
final class Format {
  public static void main(String[] args) throws Exception {
    boolean apply = args[0].equals("apply");
    Path root = Path.of(args[1]);
    Formatter formatter = new Formatter();
    List<Path> wrong = new ArrayList<>();
    List<Path> sources;
    try (var files = Files.walk(root)) {
      sources =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(
                  file -> !root.relativize(file).toString().matches("(.*/)?(target|\\.[^/]+)/.*"))
              .sorted()
              .toList();
    }
    for (Path file : sources) {
      String before = Files.readString(file);
      String after =
          formatter.formatSource(
              ImportOrderer.reorderImports(
                  RemoveUnusedImports.removeUnusedImports(before), Style.GOOGLE));
      if (!after.equals(before)) {
        wrong.add(root.relativize(file));
        if (apply) {
          Files.writeString(file, after);
        }
      }
    }
    if (!wrong.isEmpty() && !apply) {
      wrong.forEach(file -> System.err.println("not formatted: " + file));
      System.err.println("run: mvn -N validate -Dformat.goal=apply");
      System.exit(1);
    }
  }
}
