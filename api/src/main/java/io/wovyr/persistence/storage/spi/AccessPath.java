/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.util.List;

/**
 * A declared way to find records other than by key. Entries are ordered by the ordered attributes,
 * then by key. A record whose equality or ordered attribute is null has no entry.
 *
 * @param equality attributes a scan must give
 * @param ordered attributes a scan may bound by a range
 * @since 0.1
 */
public record AccessPath(
    String name, Reach reach, List<String> equality, List<String> ordered, Freshness freshness) {
  public AccessPath {
    equality = List.copyOf(equality);
    ordered = List.copyOf(ordered);
  }

  /** Whose entries a scan walks. */
  public enum Reach {
    /** Entries of one tenant; yields rows ({@link Storage#scan}). */
    TENANT,
    /**
     * Entries of all tenants, for the system role only; yields keys, never values ({@link
     * Storage#scanSystem}). The index begins with the path, not the tenant.
     */
    SYSTEM
  }

  /** How soon a commit shows. */
  public enum Freshness {
    /** At once. */
    STRONG,
    /** Some time later: a hint that the reader checks again by a guard. */
    EVENTUAL
  }
}
