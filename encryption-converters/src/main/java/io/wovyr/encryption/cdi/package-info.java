/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Sealing in a container: by the keys of a {@link io.wovyr.encryption.key.KeyProvider} bean of the
 * application. Start reading at {@link io.wovyr.encryption.cdi.InjectedKeysSealing}.
 */
@NullMarked
package io.wovyr.encryption.cdi;

import org.jspecify.annotations.NullMarked;
