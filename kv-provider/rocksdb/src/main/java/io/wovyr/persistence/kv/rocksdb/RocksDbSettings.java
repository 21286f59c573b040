/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of one RocksDB store, {@code wovyr.storage.*} without the prefix.
 *
 * @param path of the store's directory
 * @param cacheBytes of blocks read from the disk, kept in memory
 */
record RocksDbSettings(Path path, long cacheBytes) {
  private static final Logger LOG = LoggerFactory.getLogger(RocksDbSettings.class);

  /** Directory of the store. Required. */
  static final String PATH = "path";

  /** Mebibytes, 1 to 65,536; default 64. */
  static final String CACHE = "cache-mebibytes";

  /** Chosen by whoever looks the provider up; not ours, and no reason to warn. */
  private static final String PROVIDER = "provider";

  private static final Set<String> KNOWN = Set.of(PATH, CACHE, PROVIDER);

  /**
   * @throws InvalidInput naming the setting that is missing or wrong
   */
  static RocksDbSettings of(Map<String, String> settings) {
    for (String key : settings.keySet()) {
      if (!KNOWN.contains(key)) {
        LOG.warn("unknown setting wovyr.storage.{} is ignored; known are {}", key, KNOWN);
      }
    }
    return new RocksDbSettings(path(settings.get(PATH)), cache(settings.get(CACHE)));
  }

  private static Path path(@Nullable String value) {
    if (value == null || value.isBlank()) {
      throw new InvalidInput(
          "wovyr.storage.path is missing: name the directory of the RocksDB store");
    }
    try {
      Path path = Path.of(value).toAbsolutePath().normalize();
      if (Files.isRegularFile(path)) {
        throw new InvalidInput(
            "%s is a file, and a RocksDB store is a directory: name the directory".formatted(path));
      }
      return path;
    } catch (InvalidPathException e) {
      throw new InvalidInput("wovyr.storage.path is not a directory name: " + e.getReason());
    }
  }

  private static long cache(@Nullable String value) {
    if (value == null) {
      return 64L << 20;
    }
    try {
      int mebibytes = Integer.parseInt(value);
      if (mebibytes >= 1 && mebibytes <= 65_536) {
        return (long) mebibytes << 20;
      }
    } catch (NumberFormatException e) {
      // Said below, as for every other wrong value.
    }
    throw new InvalidInput("wovyr.storage.cache-mebibytes must be 1 to 65536, not " + value);
  }
}
