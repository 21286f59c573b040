/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Encrypted columns for any JPA application: attribute converters that seal inside, such as {@link
 * io.wovyr.encryption.jpa.EncryptedString}, over one {@link
 * io.wovyr.encryption.jpa.ColumnEncryption}. Start reading at {@code ColumnEncryption}.
 */
@NullMarked
package io.wovyr.encryption.jpa;

import org.jspecify.annotations.NullMarked;
