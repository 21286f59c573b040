/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the provider owes a container in which applications come and go. Start reading at {@link
 * io.wovyr.persistence.jpa.cdi.DriverRelease}.
 */
@NullMarked
package io.wovyr.persistence.jpa.cdi;

import org.jspecify.annotations.NullMarked;
