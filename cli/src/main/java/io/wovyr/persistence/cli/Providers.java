/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.StorageProvider;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The storage providers on the class path. Stateless. */
final class Providers {
  private Providers() {}

  /** All of them, by name. */
  static List<StorageProvider> all() {
    try {
      return ServiceLoader.load(StorageProvider.class).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparing(StorageProvider::name))
          .toList();
    } catch (ServiceConfigurationError e) {
      throw new CommandFailure(
          ExitCode.DEFECT,
          "a storage provider on the class path cannot be loaded: " + e.getMessage());
    }
  }

  /** The one of this name. */
  static StorageProvider named(String name) {
    List<StorageProvider> all = all();
    return all.stream()
        .filter(provider -> provider.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.USAGE,
                    "there is no storage provider '%s': use one of %s"
                        .formatted(
                            name,
                            all.stream()
                                .map(StorageProvider::name)
                                .collect(Collectors.joining(", ")))));
  }
}
