/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What an encryption provider implements: bytes in, sealed bytes out, bound to where they belong. */
@NullMarked
package io.wovyr.persistence.sealing.spi;

import org.jspecify.annotations.NullMarked;
