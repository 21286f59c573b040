/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the relational stores share: the SQL of a record type ({@link
 * io.wovyr.persistence.jpa.internal.RecordTable}), running it ({@link
 * io.wovyr.persistence.jpa.internal.LeanRecords}) or leaving it to Hibernate ({@link
 * io.wovyr.persistence.jpa.internal.HibernateRecords}), and judging a batch ({@link
 * io.wovyr.persistence.jpa.internal.BatchWriter}). Nothing here knows a database; what differs
 * between them is a {@link io.wovyr.persistence.jpa.internal.SqlValues}, a changelog and the package
 * of the database. Not an API.
 */
@NullMarked
package io.wovyr.persistence.jpa.internal;

import org.jspecify.annotations.NullMarked;
