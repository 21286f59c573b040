/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which sealing provider the settings and the class path choose. */
final class SealingChoice {
  private static final Logger LOG = LoggerFactory.getLogger(SealingChoice.class);
  static final String PROVIDER = "wovyr.sealing.provider";
  static final String NONE = "none";

  private SealingChoice() {}

  /**
   * The provider; empty when {@code none} is asked for. Where there is none, or it does not know
   * where its keys are, the answer refuses to seal.
   *
   * @throws InvalidInput when the one asked for is not there, or several are and none is asked for
   */
  static Optional<SealingProvider> of(Map<String, String> settings) {
    String wanted = settings.get(PROVIDER);
    if (NONE.equals(wanted)) {
      return Optional.empty();
    }
    Map<String, SealingFactory> found = new TreeMap<>();
    ServiceLoader.load(SealingFactory.class).forEach(factory -> found.put(factory.name(), factory));
    if (wanted == null) {
      if (found.size() > 1) {
        throw new InvalidInput("set " + PROVIDER + " to one of " + found.keySet());
      }
      return Optional.of(
          found.values().stream()
              .findFirst()
              .map(factory -> madeBy(factory, settings))
              .orElseGet(() -> told(KeysMissing.ofNobody())));
    }
    SealingFactory factory = found.get(wanted);
    if (factory == null) {
      throw new InvalidInput(
          "no sealing provider is called '%s'; found: %s, or none"
              .formatted(wanted, found.keySet()));
    }
    return Optional.of(madeBy(factory, settings));
  }

  /**
   * What this factory makes; where it does not know where its keys are, what refuses to seal.
   *
   * @throws InvalidInput when the settings name it and do not tell it
   */
  static SealingProvider madeBy(SealingFactory factory, Map<String, String> settings) {
    return factory
        .create(settings)
        .orElseGet(
            () -> {
              if (settings.containsKey(PROVIDER)) {
                throw new InvalidInput(
                    "sealing provider %s is not configured: %s"
                        .formatted(factory.name(), factory.howToConfigure()));
              }
              return told(KeysMissing.of(factory));
            });
  }

  private static SealingProvider told(KeysMissing missing) {
    LOG.info("WOVYR-0105 no sensitive value can be written: {}", missing.choices());
    return missing;
  }
}
