/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The record layer: the storage SPI over an ordered key-value {@link
 * io.wovyr.persistence.kv.engine.Engine}, once for all engines. {@link
 * io.wovyr.persistence.kv.KvStorage} is the storage; {@link io.wovyr.persistence.kv.KvStore} makes
 * a store and opens it. What lies under which key is specified in {@code docs/format/key-value.md}
 * and written by {@code Layout}, {@code RowBytes} and {@code Block}.
 */
@NullMarked
package io.wovyr.persistence.kv;

import org.jspecify.annotations.NullMarked;
