/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows between the modules, and what an api may mention. */
class ArchitectureTest {
  private static final String[] API = {
    "io.wovyr.persistence",
    "io.wovyr.persistence.activity..",
    "io.wovyr.persistence.audit..",
    "io.wovyr.persistence.checkpoint..",
    "io.wovyr.persistence.compensation..",
    "io.wovyr.persistence.definition..",
    "io.wovyr.persistence.metrics..",
    "io.wovyr.persistence.quarantine..",
    "io.wovyr.persistence.retry..",
    "io.wovyr.persistence.schedule..",
    "io.wovyr.persistence.secret..",
    "io.wovyr.persistence.execution..",
    "io.wovyr.persistence.event..",
    "io.wovyr.persistence.lease..",
    "io.wovyr.persistence.payload..",
    "io.wovyr.persistence.state..",
    "io.wovyr.persistence.feed..",
    "io.wovyr.persistence.internal..",
    "io.wovyr.persistence.storage..",
    "io.wovyr.persistence.sealing..",
    "io.wovyr.persistence.request..",
    "io.wovyr.persistence.settings.."
  };
  private static final String CORE = "io.wovyr.persistence.core..";
  private static final String CORE_WEB = "io.wovyr.persistence.core.cdi.web..";
  private static final String JPA = "io.wovyr.persistence.jpa..";
  private static final String KV = "io.wovyr.persistence.kv..";
  private static final String KV_CORE = "io.wovyr.persistence.kv";
  private static final String KV_ENGINE = "io.wovyr.persistence.kv.engine..";
  private static final String ROCKSDB = "io.wovyr.persistence.kv.rocksdb..";
  private static final String FOUNDATIONDB = "io.wovyr.persistence.kv.foundationdb..";
  private static final String DYNAMODB = "io.wovyr.persistence.kv.dynamodb..";
  private static final String KIT = "io.wovyr.conformance..";
  private static final String SAMPLES = "io.wovyr.samples..";
  private static final String CLI = "io.wovyr.persistence.cli..";

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.wovyr");

  private static final DescribedPredicate<JavaClass> OURS = resideInAPackage("io.wovyr..");

  @Test
  void seesEveryModule() {
    for (String module :
        new String[] {CORE, JPA, KV, ROCKSDB, FOUNDATIONDB, DYNAMODB, KIT, SAMPLES, CLI}) {
      assertThat(ALL.that(resideInAPackage(module))).as(module).isNotEmpty();
    }
  }

  @Test
  void apiDependsOnNothingButTheJdkAndAnnotations() {
    classes()
        .that(resideInAnyPackage(API))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(API).or(resideInAnyPackage("java..", "org.jspecify..", "jakarta..")))
        .check(ALL);
  }

  /** And on the converters of encrypted columns, for the revision entity. */
  @Test
  void providersDependOnTheApiAlone() {
    noClasses()
        .that(resideInAPackage(JPA))
        .should()
        .dependOnClassesThat(
            OURS.and(resideOutsideOfPackages(API))
                .and(resideOutsideOfPackages(JPA))
                .and(resideOutsideOfPackages("io.wovyr.encryption.jpa")))
        .check(ALL);
  }

  /** The engines know the record layer, never the other way round. */
  @Test
  void keyValueStoresDependOnTheApiAlone() {
    noClasses()
        .that(resideInAPackage(KV))
        .should()
        .dependOnClassesThat(
            OURS.and(resideOutsideOfPackages(API)).and(resideOutsideOfPackages(KV)))
        .check(ALL);
    noClasses()
        .that(resideInAnyPackage(KV_CORE, KV_ENGINE))
        .should()
        .dependOnClassesThat(resideInAPackage(KV).and(resideOutsideOfPackages(KV_CORE, KV_ENGINE)))
        .check(ALL);
  }

  @Test
  void coreAndTheKitDependOnTheApiAlone() {
    for (String module : new String[] {CORE, KIT}) {
      noClasses()
          .that(resideInAPackage(module))
          .should()
          .dependOnClassesThat(
              OURS.and(resideOutsideOfPackages(API)).and(resideOutsideOfPackages(module)))
          .check(ALL);
    }
  }

  /** It is loaded only where a container has them: the rest runs without. */
  @Test
  void onlyOnePackageOfCoreNamesServletsAndTokens() {
    noClasses()
        .that(resideInAnyPackage(CORE).and(resideOutsideOfPackages(CORE_WEB)))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "jakarta.servlet..",
                "jakarta.json..",
                "jakarta.security..",
                "jakarta.enterprise.concurrent..",
                "org.eclipse.microprofile.jwt.."))
        .check(ALL);
    assertThat(ALL.that(resideInAPackage(CORE_WEB))).isNotEmpty();
  }

  @Test
  void nothingDependsOnTheCommand() {
    noClasses()
        .that(resideOutsideOfPackages(CLI))
        .should()
        .dependOnClassesThat(resideInAPackage(CLI))
        .check(ALL);
  }

  @Test
  void theApiMentionsNeitherSpiNorInternals() {
    noMethods()
        .that()
        .areDeclaredInClassesThat(
            resideInAnyPackage(API).and(resideOutsideOfPackages("..spi..", "..internal..")))
        .and()
        .arePublic()
        .should()
        .haveRawParameterTypes(anyOf(resideInAnyPackage("..spi..", "..internal..")))
        .orShould()
        .haveRawReturnType(resideInAnyPackage("..spi..", "..internal.."))
        .check(ALL);
  }

  private static DescribedPredicate<java.util.List<JavaClass>> anyOf(
      DescribedPredicate<JavaClass> type) {
    return DescribedPredicate.describe(
        "any of " + type.getDescription(), list -> list.stream().anyMatch(type));
  }
}
