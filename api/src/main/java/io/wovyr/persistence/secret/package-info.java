/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Secrets of a tenant, by name and version. Start at {@link io.wovyr.persistence.secret.Secrets}. */
@NullMarked
package io.wovyr.persistence.secret;

import org.jspecify.annotations.NullMarked;
