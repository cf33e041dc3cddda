package dev.onejob.contract;

import dev.onejob.provider.Provider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;

/** Reads a configuration directory to its end, whatever is wrong on the way. */
final class CatalogReader {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");
  private static final String SUFFIX = ".yaml";
  private static final int FILES_MAX = 1000;

  private final Path directory;
  private final Interpolation interpolation;
  private final List<Problem> problems = new ArrayList<>();

  CatalogReader(Path directory, Environment environment) {
    this.directory = directory;
    this.interpolation = new Interpolation(environment);
  }

  Catalog read() throws CatalogRefused {
    if (!Files.isDirectory(directory)) {
      problems.add(new Problem(directory.toString(), 1, "no such directory"));
      throw new CatalogRefused(problems);
    }
    Map<String, Provider> providers = new TreeMap<>();
    // A provider whose file has problems is still known: its routes are not wrong as well.
    Map<String, String> providerFiles = new TreeMap<>();
    readAll(
        "provider",
        providerFiles,
        (members, name) -> {
          Provider provider = new ProviderReader(members, name).read();
          if (provider != null) {
            providers.put(name, provider);
          }
        });
    Map<String, Operation> operations = new TreeMap<>();
    Set<String> known = providerFiles.keySet();
    readAll(
        "operation",
        new TreeMap<>(),
        (members, name) -> {
          Operation operation = new OperationReader(members, name, known).read();
          if (operation != null) {
            operations.put(name, operation);
          }
        });
    if (!problems.isEmpty()) {
      problems.sort(Comparator.comparing(Problem::file).thenComparingInt(Problem::line));
      throw new CatalogRefused(problems);
    }
    return new Catalog(operations, providers);
  }

  /** Takes one file's members. */
  private interface Taker {
    void take(Members members, String name);
  }

  private void readAll(String kind, Map<String, String> seen, Taker taker) {
    Path folder = directory.resolve(kind + "s");
    List<Path> files = files(folder, kind);
    for (Path file : files) {
      Source source = new Source(file.toString(), interpolation, problems);
      String fileName = baseName(file);
      MappingNode mapping = YamlFile.read(file, source);
      if (mapping == null) {
        seen.putIfAbsent(fileName, file.toString());
        continue;
      }
      Members members = new Members(source, mapping, "");
      String name = name(members, kind, fileName);
      String earlier = name == null ? null : seen.putIfAbsent(name, file.toString());
      if (earlier != null) {
        members.problem(kind, "'" + name + "' is already defined in " + earlier);
      }
      taker.take(members, name == null ? fileName : name);
    }
  }

  private static @Nullable String name(Members members, String kind, String fileName) {
    String name = members.requireName(kind);
    if (name == null) {
      return null;
    }
    if (!NAME.matcher(name).matches()) {
      members.problem(kind, "must be a lower-case letter, then at most 62 of a-z, 0-9 and '-'");
      return null;
    }
    if (!name.equals(fileName)) {
      members.problem(kind, "is '" + name + "', but the file is named " + fileName + SUFFIX);
    }
    return name;
  }

  private List<Path> files(Path folder, String kind) {
    if (!Files.isDirectory(folder)) {
      problems.add(new Problem(folder.toString(), 1, "no such directory"));
      return List.of();
    }
    List<Path> files = new ArrayList<>();
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path entry : entries.sorted().limit(FILES_MAX + 1L).toList()) {
        String name = String.valueOf(entry.getFileName());
        // Hidden files are editors' and mounts' own.
        if (name.startsWith(".") || !Files.isRegularFile(entry)) {
          continue;
        }
        if (name.endsWith(SUFFIX)) {
          files.add(entry);
        } else if (name.endsWith(".yml")) {
          problems.add(new Problem(entry.toString(), 1, "the file's name must end in .yaml"));
        }
      }
    } catch (IOException e) {
      problems.add(new Problem(folder.toString(), 1, "the directory cannot be read"));
      return List.of();
    }
    if (files.size() > FILES_MAX) {
      problems.add(new Problem(folder.toString(), 1, "more than " + FILES_MAX + " files"));
    }
    if (files.isEmpty()) {
      problems.add(new Problem(folder.toString(), 1, "no " + kind + " is configured"));
    }
    return files;
  }

  private static String baseName(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.substring(0, name.length() - SUFFIX.length());
  }
}
