/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;

/** Where this module's arrows point. */
@AnalyzeClasses(
    packages = "io.wovyr.persistence.jpa",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule dependsOnTheApiAlone =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.wovyr.persistence.core..",
              "io.wovyr.persistence.cli..",
              "io.wovyr.conformance..");

  @ArchTest
  static final ArchRule whatIsSharedKnowsNoDatabase =
      noClasses()
          .that()
          .resideInAnyPackage("..jpa.internal..", "..jpa.entity..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "..jpa.sqlite..", "org.sqlite..", "..jpa.postgresql..", "org.postgresql..");

  @ArchTest
  static final ArchRule entitiesKnowNothingOfTheRest =
      noClasses()
          .that()
          .resideInAPackage("..jpa.entity..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("..jpa.internal..", "liquibase..");

  @ArchTest
  static final ArchRule aDatabasesPackageShowsItsProviderOnly =
      classes()
          .that()
          .resideInAnyPackage("..jpa.sqlite..", "..jpa.postgresql..")
          .and(JavaClass.Predicates.equivalentTo(SqliteStorageProvider.class).negate())
          .and(JavaClass.Predicates.equivalentTo(PostgresqlStorageProvider.class).negate())
          .should()
          .notBePublic();
}
