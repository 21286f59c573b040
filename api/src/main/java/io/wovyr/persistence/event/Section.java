/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.event;

/**
 * The parts of an execution's state. The codes are part of stored formats and never change.
 *
 * @since 0.1
 */
public enum Section {
  WORKFLOW(1),
  ACTIVITIES(2),
  VARIABLES(3),
  ACTIVE_NODES(4),
  RETRIES(5),
  COMPENSATION(6),
  SCHEDULER(7);

  private final int code;

  Section(int code) {
    this.code = code;
  }

  /** The stored code, 1 to 255. */
  public int code() {
    return code;
  }

  /** The section of this code, or empty for one a newer node wrote. */
  public static java.util.Optional<Section> ofCode(int code) {
    for (Section section : values()) {
      if (section.code == code) {
        return java.util.Optional.of(section);
      }
    }
    return java.util.Optional.empty();
  }
}
