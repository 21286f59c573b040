/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * A store of several processes: the reference in each, fed from one log file under a file lock.
 * Public, with a public constructor, because the other process makes it by its name.
 */
public final class LogFileProvider implements StorageProvider {
  /** What a store does wrong. */
  enum Flaw {
    NONE,
    /** It does not wait for the other process. */
    UNLOCKED,
    /** It answers before what it wrote is in the file. */
    WRITES_LATER
  }

  @Override
  public String name() {
    return "log-file";
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.MULTI_PROCESS);
  }

  @Override
  public Storage open(Map<String, String> settings) {
    return new LogFileStorage(Path.of(settings.get("path")), Flaw.valueOf(settings.get("flaw")));
  }
}
