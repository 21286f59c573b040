/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.mapping;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import java.util.UUID;

/**
 * A piece of a {@link LargeValue}. Immutable.
 *
 * @param number from 0
 */
public record Chunk(RecordHeader header, UUID valueId, int number, Bytes content) {}
