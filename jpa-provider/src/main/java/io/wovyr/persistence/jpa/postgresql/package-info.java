/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Storage on PostgreSQL. Begin with {@link
 * io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider}, which opens a {@code
 * PostgresqlStorage}; a commit of unaudited records is one statement, built by {@code LeanStatement}
 * and sent by {@code LeanCommit}, one that changes an execution is a transaction ({@code
 * TransactionCommit}). The walls between tenants stand in the database: see {@code changelog.sql}
 * and {@code rights.sql}.
 */
@NullMarked
package io.wovyr.persistence.jpa.postgresql;

import org.jspecify.annotations.NullMarked;
