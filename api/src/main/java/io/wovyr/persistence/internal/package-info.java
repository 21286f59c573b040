/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Input checks shared by the api; not for use outside this project. */
@NullMarked
package io.wovyr.persistence.internal;

import org.jspecify.annotations.NullMarked;
