/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What a storage adapter implements. {@link io.wovyr.persistence.storage.spi.StorageProvider} opens
 * a {@link io.wovyr.persistence.storage.spi.Storage}; a write is one {@link
 * io.wovyr.persistence.storage.spi.Batch} with preconditions; {@link
 * io.wovyr.persistence.storage.spi.RecordTypes} describes every record once. Authors of adapters run
 * the published conformance kit against their implementation.
 */
@NullMarked
package io.wovyr.persistence.storage.spi;

import org.jspecify.annotations.NullMarked;
