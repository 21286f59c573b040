/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.sealing.spi;

import io.wovyr.persistence.settings.spi.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a {@link SealingProvider} from settings. Found by {@link java.util.ServiceLoader}, in a
 * container as a bean too, which wins over a service of its name: with one on the class path
 * sensitive values are sealed by default.
 *
 * @since 0.1
 */
public interface SealingFactory {
  /** Name of the provider it makes, for {@code wovyr.sealing.provider}. */
  String name();

  /**
   * The provider for a store with these settings; empty when they do not say where its keys are and
   * it cannot know by itself: then nothing sensitive is written. Opens no key before one is needed.
   *
   * @param settings all {@code wovyr.*} settings, those of the store among them
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput naming the setting that is
   *     missing or wrong
   */
  Optional<SealingProvider> create(Map<String, String> settings);

  /** What to do when {@link #create} answers nothing: for messages, no sentence of its own. */
  default String howToConfigure() {
    return "see the settings of the sealing provider " + name();
  }

  /**
   * The {@code wovyr.sealing.*} settings it reads, names complete: others are warned about. Empty:
   * it does not say, and none of them is.
   */
  default List<Setting> settings() {
    return List.of();
  }
}
