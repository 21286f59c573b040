/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Java values as CBOR payloads: begin with {@link
 * io.wovyr.persistence.core.cbor.CborPayloadConverter}. How each type is written is specified in
 * {@code docs/format/cbor-payload.md}.
 */
@NullMarked
package io.wovyr.persistence.core.cbor;

import org.jspecify.annotations.NullMarked;
