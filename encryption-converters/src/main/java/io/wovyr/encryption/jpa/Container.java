/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.CDI;
import java.util.Optional;

/** The CDI container; a class of its own, so that nobody without CDI has to load it. */
final class Container {
  private Container() {}

  /**
   * @throws IllegalStateException when no container runs here
   */
  static Optional<ColumnEncryption> find() {
    Instance<ColumnEncryption> found = CDI.current().select(ColumnEncryption.class);
    return found.isUnsatisfied() ? Optional.empty() : Optional.of(found.get());
  }
}
