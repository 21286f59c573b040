/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What this module may use, so that it serves any JPA application alone. */
@AnalyzeClasses(packages = "io.wovyr.encryption", importOptions = DoNotIncludeTests.class)
class DependenciesTest {
  @ArchTest
  static final ArchRule ofThisProjectOnlyTheApi =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.wovyr.persistence.core..",
              "io.wovyr.persistence.jpa..",
              "io.wovyr.conformance..",
              "io.wovyr.persistence.cli..");

  @ArchTest
  static final ArchRule noJpaImplementation =
      noClasses().should().dependOnClassesThat().resideInAPackage("org.hibernate..");

  @ArchTest
  static final ArchRule optionalLibrariesAreUsedBesideTheMainPathOnly =
      classes()
          .that()
          .resideInAnyPackage("io.wovyr.encryption", "io.wovyr.encryption.key")
          .and()
          .haveSimpleNameNotStartingWith("KeystoreFile")
          .and()
          .haveSimpleNameNotStartingWith("BouncyCastle")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "javax.crypto..",
              "io.wovyr.encryption",
              "io.wovyr.encryption.key",
              "io.wovyr.persistence..",
              "com.github.benmanes.caffeine..",
              "org.slf4j..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule keysDoNotKnowWhatIsSealed =
      noClasses()
          .that()
          .resideInAPackage("io.wovyr.encryption.key")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.wovyr.encryption.jpa");
}
