/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The repositories, written once over the storage SPI. Start at {@link
 * io.wovyr.persistence.core.WovyrPersistence}, then {@code StagedUnitOfWork} (what is collected),
 * {@code Committer} (how it is decided) and {@code Sender} (how one batch reaches an outcome).
 */
@NullMarked
package io.wovyr.persistence.core;

import org.jspecify.annotations.NullMarked;
