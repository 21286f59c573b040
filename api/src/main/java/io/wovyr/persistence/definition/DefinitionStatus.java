/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.definition;

import java.util.EnumSet;
import java.util.Set;

/**
 * Life of one version of a definition. Running executions never notice a change of it; only new
 * ones do.
 *
 * @since 0.1
 */
public enum DefinitionStatus {
  /** Being written: its body may still change, nothing can be created from it. */
  DRAFT,
  /** In use. */
  ACTIVE,
  /** In use, but a newer one should be taken. */
  DEPRECATED,
  /** Hidden from listings; readable by name and version; nothing can be created from it. */
  ARCHIVED;

  /** The statuses this one may become. */
  public Set<DefinitionStatus> next() {
    return switch (this) {
      case DRAFT -> EnumSet.of(ACTIVE, ARCHIVED);
      case ACTIVE -> EnumSet.of(DEPRECATED, ARCHIVED);
      case DEPRECATED, ARCHIVED -> EnumSet.complementOf(EnumSet.of(DRAFT, this));
    };
  }

  /** True if executions can be created from it. */
  public boolean allowsCreation() {
    return this == ACTIVE || this == DEPRECATED;
  }
}
