/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Between Java records and the rows of the storage SPI. Start at {@link
 * io.wovyr.persistence.core.mapping.RecordMappers}: a record type is made known there with one line;
 * {@link io.wovyr.persistence.core.mapping.RecordMapper} derives the rest from its description.
 */
@NullMarked
package io.wovyr.persistence.core.mapping;

import org.jspecify.annotations.NullMarked;
