/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.util.UUID;

/**
 * Which store this is.
 *
 * @param storeId made once, kept by copies and restores
 * @param epoch raised by restore, copy and promotion, before the first write; 1 at first
 * @param schemaVersion of its tables or records
 * @since 0.1
 */
public record StoreIdentity(UUID storeId, long epoch, int schemaVersion) {}
