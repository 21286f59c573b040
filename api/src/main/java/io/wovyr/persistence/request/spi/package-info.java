/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Whose data a request is about, in a container. Start at {@link
 * io.wovyr.persistence.request.spi.TenantResolver}; what it may look at is {@link
 * io.wovyr.persistence.request.spi.IncomingRequest}.
 */
@NullMarked
package io.wovyr.persistence.request.spi;

import org.jspecify.annotations.NullMarked;
