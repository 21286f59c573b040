/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Texts of failures: record, key and reason, never content and never the tenant. */
final class Failures {
  private Failures() {}

  static String where(Binding binding) {
    return "value "
        + binding.recordType()
        + "."
        + binding.attributePath()
        + " of record "
        + binding.originId();
  }

  /** Names the data key as well, where the envelope does. */
  static String where(Binding binding, Optional<String> dataKeyId) {
    return where(binding) + dataKeyId.map(id -> ", sealed under data key " + id + ",").orElse("");
  }

  static Corrupt corrupt(
      Binding binding, UUID dataKeyId, String reason, @Nullable Throwable cause) {
    return new Corrupt(
        where(binding) + ", sealed under data key " + dataKeyId + ", does not open: " + reason,
        cause);
  }
}
