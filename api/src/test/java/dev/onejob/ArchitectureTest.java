package dev.onejob;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import okhttp3.Credentials;
import okhttp3.HttpUrl;

/** Imports only point left. */
@AnalyzeClasses(packages = "dev.onejob", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] ATTEMPTS = {
    "dev.onejob.json..",
    "dev.onejob.contract..",
    "dev.onejob.provider..",
    "dev.onejob.attempt..",
    "dev.onejob.wake.."
  };

  @ArchTest
  static final ArchRule importsOnlyPointLeft =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("job")
          .definedBy("dev.onejob.job..")
          .layer("flow")
          .definedBy("dev.onejob.flow..")
          .layer("store")
          .definedBy("dev.onejob.store..")
          .layer("attempts")
          .definedBy(ATTEMPTS)
          .layer("api")
          .definedBy("dev.onejob.api..")
          .whereLayer("api")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("attempts")
          .mayOnlyBeAccessedByLayers("api")
          .whereLayer("store")
          .mayOnlyBeAccessedByLayers("attempts", "api")
          .whereLayer("flow")
          .mayOnlyBeAccessedByLayers("store", "attempts", "api");

  @ArchTest
  static final ArchRule sqlStaysInTheStore =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.onejob.store..", "dev.onejob.devkit..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql..", "javax.sql..", "org.jooq..", "org.postgresql..");

  /** Reading configuration may look at an address; only adapters send to one. */
  @ArchTest
  static final ArchRule providersAreCalledFromOnePlace =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.onejob.provider..", "dev.onejob.devkit..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("okhttp3..")
                  .and(not(belongToAnyOf(HttpUrl.class, Credentials.class))));

  @ArchTest
  static final ArchRule springStaysAtTheFrontDoor =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.onejob.api..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.springframework..", "jakarta.servlet..");

  @ArchTest
  static final ArchRule theRulesKnowNoEngine =
      noClasses()
          .that()
          .resideInAPackage("dev.onejob.job..")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages("dev.onejob.job..", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule theDevkitIsForTestsAlone =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.onejob.devkit..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.onejob.devkit..");
}
