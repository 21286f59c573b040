/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Storage in one SQLite file, for one machine and any number of processes on it. {@link
 * io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider} is what a user names; {@code SqliteStorage}
 * is the store, {@code Writer} its one write connection per process, {@code Readers} the connections
 * that read beside it. Operations: {@code docs/stores/sqlite.md}.
 */
@NullMarked
package io.wovyr.persistence.jpa.sqlite;

import org.jspecify.annotations.NullMarked;
