/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Storage on relational databases. Two paths share every table and every transaction: the lean path
 * (head and events, hot) runs statements generated from {@link
 * io.wovyr.persistence.storage.spi.RecordType}; everything else goes through Hibernate and the
 * entities of {@code .entity}. {@code .internal} is what all databases share; {@code .sqlite} is one
 * of them: start reading at {@link io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider}.
 */
@NullMarked
package io.wovyr.persistence.jpa;

import org.jspecify.annotations.NullMarked;
