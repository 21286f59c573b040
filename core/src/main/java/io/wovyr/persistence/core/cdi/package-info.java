/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The thin seam to Jakarta CDI: {@link io.wovyr.persistence.core.cdi.PersistenceProducer} makes the one
 * {@link io.wovyr.persistence.Persistence} from the settings and the providers found as beans.
 */
@NullMarked
package io.wovyr.persistence.core.cdi;

import org.jspecify.annotations.NullMarked;
