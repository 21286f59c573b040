/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import io.wovyr.persistence.core.contract.Registration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every contract of the repositories runs over every store. */
final class RegistrationTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        PostgresqlRepositoriesIT.class,
        FakedFoundationDbRepositoriesIT.class,
        RocksDbRepositoriesIT.class,
        DynamoDbRepositoriesIT.class,
        SqliteRepositoriesIT.class
      })
  void everyContractIsRun(Class<?> test) {
    Registration.isComplete(test);
  }
}
