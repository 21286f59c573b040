/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Tests of values as CBOR; begin with {@code CborPayloadConverterTest}. */
@NullMarked
package io.wovyr.persistence.core.cbor;

import org.jspecify.annotations.NullMarked;
