/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

/**
 * What fits. A batch beyond any of them is {@code Rejected} before anything is written, naming the
 * limit.
 *
 * @param recordBytes largest row, by {@link Row#sizeBytes()}
 * @param batchItems most items of a batch, by {@link Batch#items(Limits)}
 * @param batchBytes largest batch: the sum of its rows
 * @param mergedBatches most batches of one {@link Storage#commit} call
 * @param itemsPerIndexEntry what an index or unique entry that changes counts in {@code
 *     batchItems}; 0 where the store keeps indexes by itself
 * @since 0.1
 */
public record Limits(
    int recordBytes, int batchItems, long batchBytes, int mergedBatches, int itemsPerIndexEntry) {}
