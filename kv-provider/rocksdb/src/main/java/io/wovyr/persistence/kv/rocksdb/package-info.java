/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Storage in RocksDB, embedded: {@link io.wovyr.persistence.kv.rocksdb.RocksDbStorageProvider}
 * opens it, {@code RocksDbEngine} is the engine beneath the record layer.
 */
@NullMarked
package io.wovyr.persistence.kv.rocksdb;

import org.jspecify.annotations.NullMarked;
