/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The settings of core that several of its packages know; not for callers. Start at {@link
 * io.wovyr.persistence.core.settings.ContainerSettings}.
 */
@NullMarked
package io.wovyr.persistence.core.settings;

import org.jspecify.annotations.NullMarked;
