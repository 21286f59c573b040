/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A plain JPA application with encrypted columns, and nothing else of this project. Start reading
 * at {@link io.wovyr.samples.encryptedcolumns.EncryptedColumns}.
 */
@NullMarked
package io.wovyr.samples.encryptedcolumns;

import org.jspecify.annotations.NullMarked;
