/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.util.Map;

/**
 * Sizes of a store, estimates where counting would be dear.
 *
 * @param records by record type name
 * @param bytes by record type name, where the store can tell
 * @since 0.1
 */
public record Statistics(Map<String, Long> records, Map<String, Long> bytes) {
  public Statistics {
    records = Map.copyOf(records);
    bytes = Map.copyOf(bytes);
  }
}
