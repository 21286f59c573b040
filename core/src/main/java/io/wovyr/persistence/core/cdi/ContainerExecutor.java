/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.core.settings.ContainerSettings;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * The container's {@code ManagedScheduledExecutorService}, found by its name, so that nothing here
 * needs Jakarta Concurrency.
 */
final class ContainerExecutor {
  private ContainerExecutor() {}

  /**
   * Empty where there is none, or none is wanted.
   *
   * @param wanted its name; null: the one that every server has, if there is one
   * @throws InvalidInput when what is wanted is not there, or is something else
   */
  @SuppressWarnings("BanJNDI") // The name is the settings', never a caller's.
  static Optional<ScheduledExecutorService> find(@Nullable String wanted) {
    if (ContainerSettings.NO_EXECUTOR.equals(wanted)) {
      return Optional.empty();
    }
    String name = wanted == null ? ContainerSettings.STANDARD_EXECUTOR : wanted;
    try {
      if (new InitialContext().lookup(name) instanceof ScheduledExecutorService executor) {
        return Optional.of(executor);
      }
    } catch (NamingException e) {
      // Said below, as for anything else that is there.
    }
    if (wanted != null) {
      throw new InvalidInput(
          ContainerSettings.EXECUTOR + " names no scheduled executor: '" + wanted + "'");
    }
    return Optional.empty();
  }
}
