/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Storage in one table of DynamoDB: {@link
 * io.wovyr.persistence.kv.dynamodb.DynamoDbStorageProvider} opens it, {@code DynamoDbEngine} is the
 * engine beneath the record layer.
 *
 * <p>What is hard about it is the feed, which has to be in an order that holds although nobody
 * counts. {@code Slots} says how writes get their stamps, {@code Horizon} how far readers may go;
 * ADR-0014 says why it is so.
 */
@NullMarked
package io.wovyr.persistence.kv.dynamodb;

import org.jspecify.annotations.NullMarked;
