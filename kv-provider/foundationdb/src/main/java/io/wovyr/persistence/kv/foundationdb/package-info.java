/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Storage in a FoundationDB cluster, experimental: {@link
 * io.wovyr.persistence.kv.foundationdb.FoundationDbStorageProvider} opens it, {@code
 * FoundationDbEngine} is the engine beneath the record layer, {@code Writing} is where commits whose
 * outcome is not known are resolved.
 */
@NullMarked
package io.wovyr.persistence.kv.foundationdb;

import org.jspecify.annotations.NullMarked;
