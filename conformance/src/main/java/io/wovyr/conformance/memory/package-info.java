/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The in-memory reference store: the smallest correct {@link
 * io.wovyr.persistence.storage.spi.Storage}, with switches that give it the shape of stores to come.
 * Start at {@link io.wovyr.conformance.memory.MemoryStore}. For tests and trials; nothing survives the
 * process.
 */
@NullMarked
package io.wovyr.conformance.memory;

import org.jspecify.annotations.NullMarked;
