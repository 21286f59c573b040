/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What knows servlets and tokens: loaded only where they are, so that nothing else of core needs
 * them.
 */
@NullMarked
package io.wovyr.persistence.core.cdi.web;

import org.jspecify.annotations.NullMarked;
