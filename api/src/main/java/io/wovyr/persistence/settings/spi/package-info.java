/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What can be set: each module lists its {@link io.wovyr.persistence.settings.spi.Setting}s, and the
 * reference page and the warning about unknown keys are made from those lists.
 */
@NullMarked
package io.wovyr.persistence.settings.spi;

import org.jspecify.annotations.NullMarked;
