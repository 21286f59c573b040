/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.sealing.spi.SealingProvider;

/**
 * Stands where values are to be sealed and nobody said where the keys are. Everything can be looked
 * at that is not sealed; nothing sensitive is written, in clear least of all. Thread-safe.
 */
final class KeysMissing implements SealingProvider {
  private final String name;
  private final String howToConfigure;

  private KeysMissing(String name, String howToConfigure) {
    this.name = name;
    this.howToConfigure = howToConfigure;
  }

  /** For a provider that was not told where its keys are. */
  static KeysMissing of(SealingFactory factory) {
    return new KeysMissing(factory.name(), factory.howToConfigure());
  }

  /** Where nothing on the class path seals. */
  static KeysMissing ofNobody() {
    return new KeysMissing(
        "nobody",
        "put wovyr-encryption-converters, or another sealing provider, on the class path");
  }

  @Override
  public String name() {
    return name;
  }

  /** What to do about it. */
  String choices() {
    return howToConfigure
        + "; or set "
        + SealingChoice.PROVIDER
        + " to "
        + SealingChoice.NONE
        + " to store sensitive values in clear";
  }

  @Override
  public Sealed seal(Bytes plain, Binding binding) {
    throw new InvalidInput(
        "nothing was written: sensitive values are sealed, and no keys are configured: "
            + choices());
  }

  @Override
  public Bytes open(Sealed sealed, Binding binding) {
    String keyId = sealed.keyId().orElse("unknown");
    throw new UnknownKey(
        keyId,
        "value %s.%s of record %s (data key %s) does not open: no keys are configured: %s"
            .formatted(
                binding.recordType(),
                binding.attributePath(),
                binding.originId(),
                keyId,
                howToConfigure));
  }
}
