/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Keys: {@link io.wovyr.encryption.key.KeyProvider} wraps data keys by a key that lies outside the
 * store, {@link io.wovyr.encryption.key.KeystoreKeyProvider} by one in a keystore file. Start
 * reading at {@code KeyProvider}.
 */
@NullMarked
package io.wovyr.encryption.key;

import org.jspecify.annotations.NullMarked;
