/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import java.util.Map;
import java.util.Optional;

/** Makes {@link MirrorSealing}, wherever it is found as a service. */
public final class MirrorSealingFactory implements SealingFactory {
  /** For {@link java.util.ServiceLoader}. */
  public MirrorSealingFactory() {}

  @Override
  public String name() {
    return MirrorSealing.NAME;
  }

  @Override
  public Optional<SealingProvider> create(Map<String, String> settings) {
    return Optional.of(new MirrorSealing());
  }
}
