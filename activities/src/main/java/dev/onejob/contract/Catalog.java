package dev.onejob.contract;

import dev.onejob.provider.Provider;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Every operation and every provider of one configuration. Immutable. */
public final class Catalog {

  private final SortedMap<String, Operation> operations;
  private final SortedMap<String, Provider> providers;

  Catalog(Map<String, Operation> operations, Map<String, Provider> providers) {
    this.operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
    this.providers = Collections.unmodifiableSortedMap(new TreeMap<>(providers));
  }

  /**
   * Reads {@code providers/*.yaml} and {@code operations/*.yaml} of a directory, with this
   * process's environment.
   *
   * @throws CatalogRefused with every problem found, if there is a single one
   */
  public static Catalog load(Path directory) throws CatalogRefused {
    return load(directory, System::getenv);
  }

  /** The same with another environment. */
  public static Catalog load(Path directory, Environment environment) throws CatalogRefused {
    return new CatalogReader(directory, environment).read();
  }

  public Optional<Operation> operation(String name) {
    return Optional.ofNullable(operations.get(name));
  }

  public Optional<Provider> provider(String name) {
    return Optional.ofNullable(providers.get(name));
  }

  /** By name, sorted. */
  public SortedMap<String, Operation> operations() {
    return operations;
  }

  /** By name, sorted. */
  public SortedMap<String, Provider> providers() {
    return providers;
  }
}
