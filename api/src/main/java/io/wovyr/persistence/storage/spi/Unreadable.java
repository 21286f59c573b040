/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.util.Objects;

/**
 * Stands in a {@link Row} that was read for a value whose stored bytes are not what its attribute
 * holds. A provider delivers the row all the same, so that one damaged record stops no other of its
 * page; whoever reads the record is told {@link io.wovyr.persistence.PersistenceException.Corrupt}.
 * It is never written: no batch holds a row with one as an after-image. When a column of the header
 * cannot be read, the header has something in its place and this stands for every value. Immutable;
 * compared by identity.
 *
 * @since 0.1
 */
public final class Unreadable {
  private final String attribute;
  private final String problem;

  /**
   * @param attribute what cannot be read: the attribute, or the header's column
   * @param problem what is wrong with it; holds nothing of what is stored
   */
  public Unreadable(String attribute, String problem) {
    this.attribute = Objects.requireNonNull(attribute);
    this.problem = Objects.requireNonNull(problem);
  }

  /** What cannot be read: the attribute, or the header's column. */
  public String attribute() {
    return attribute;
  }

  /** What is wrong with it; holds nothing of what is stored. */
  public String problem() {
    return problem;
  }

  @Override
  public String toString() {
    return attribute + ": " + problem;
  }
}
