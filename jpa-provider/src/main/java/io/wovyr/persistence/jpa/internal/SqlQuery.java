/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.storage.spi.Attribute.Kind;
import java.util.List;

/**
 * A statement and what is bound to it, in order.
 *
 * @param parameters never null: a condition on null is part of the text
 */
public record SqlQuery(String text, List<Parameter> parameters) {
  /** A value of a kind. */
  public record Parameter(Kind kind, Object value) {}

  public SqlQuery {
    parameters = List.copyOf(parameters);
  }
}
