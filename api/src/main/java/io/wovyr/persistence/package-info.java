/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The front door: {@link io.wovyr.persistence.Persistence} hands out {@link
 * io.wovyr.persistence.Repositories} bound to one {@link io.wovyr.persistence.Caller}; a {@link
 * io.wovyr.persistence.UnitOfWork} commits any set of changes atomically.
 *
 * <p>Start reading at {@link io.wovyr.persistence.Persistence}, then {@link
 * io.wovyr.persistence.Repositories}, then {@link io.wovyr.persistence.storage.spi.Storage}.
 */
@NullMarked
package io.wovyr.persistence;

import org.jspecify.annotations.NullMarked;
