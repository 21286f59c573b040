/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.settings.spi;

import java.util.Objects;

/**
 * One {@code wovyr.*} setting, declared once by the module that reads it. Immutable.
 *
 * @param name complete, such as {@code wovyr.lease.margin}
 * @param standard what holds when it is not set, as people read it: a value, or words such as
 *     {@code none} or {@code required}
 * @param kind what may be given, with its unit and bounds, such as {@code duration}
 * @param meaning what it does, for people; Markdown
 * @param where where it applies, such as {@code everywhere}; settings of one place are shown
 *     together
 * @since 0.1
 */
public record Setting(String name, String standard, String kind, String meaning, String where) {
  /** Begins all names. */
  public static final String PREFIX = "wovyr.";

  /**
   * @throws IllegalArgumentException for a name that does not begin with {@link #PREFIX}
   */
  public Setting {
    if (!name.startsWith(PREFIX)) {
      throw new IllegalArgumentException("a setting begins with " + PREFIX + ": " + name);
    }
    Objects.requireNonNull(standard, "standard");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(meaning, "meaning");
    Objects.requireNonNull(where, "where");
  }
}
