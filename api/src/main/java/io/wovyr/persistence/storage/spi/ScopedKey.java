/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

/**
 * What a scan over all tenants yields.
 *
 * @since 0.1
 */
public record ScopedKey(String tenantId, Key key) {}
