/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What an application leaves behind in its server when it ends. */
@NullMarked
package io.wovyr.persistence.jpa.cdi;

import org.jspecify.annotations.NullMarked;
