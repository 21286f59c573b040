/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.compensation;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What to do to undo a step.
 *
 * @param activityId the step that is undone
 * @param action what undoes it
 * @param metadata {@code name=value}, not sensitive
 * @since 0.1
 */
public record NewCompensation(
    String activityId, String action, Optional<Payload> input, List<String> metadata) {
  public NewCompensation {
    Inputs.name("activity id", activityId);
    Inputs.name("compensation action", action);
    metadata.forEach(entry -> Inputs.searchable("compensation metadata", entry, 511));
    metadata = List.copyOf(metadata);
  }

  /** Without input or metadata. */
  public static NewCompensation of(String activityId, String action) {
    return new NewCompensation(activityId, action, Optional.empty(), List.of());
  }

  /** With this input. */
  public NewCompensation withInput(Payload value) {
    return new NewCompensation(activityId, action, Optional.of(value), metadata);
  }

  /** With one more entry of metadata. */
  public NewCompensation withMetadata(String name, String value) {
    Inputs.name("metadata name", name);
    if (name.indexOf('=') >= 0) {
      throw new InvalidInput("a metadata name must not contain '='");
    }
    List<String> more = new ArrayList<>(metadata);
    more.add(name + "=" + value);
    return new NewCompensation(activityId, action, input, more);
  }
}
