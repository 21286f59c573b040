/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Records that cannot be read by this version. Start at {@link
 * io.wovyr.persistence.quarantine.Quarantine}.
 */
@NullMarked
package io.wovyr.persistence.quarantine;

import org.jspecify.annotations.NullMarked;
