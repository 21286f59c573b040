/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Envelope encryption behind the sealing SPI: {@link io.wovyr.encryption.EnvelopeSealing} seals
 * values under data keys of each tenant, which {@link io.wovyr.encryption.key} wraps and keeps;
 * {@link io.wovyr.encryption.jpa} brings it to plain columns. The bytes are specified in {@code
 * docs/format/sealing.md}. Start reading at {@code EnvelopeSealing}.
 */
@NullMarked
package io.wovyr.encryption;

import org.jspecify.annotations.NullMarked;
