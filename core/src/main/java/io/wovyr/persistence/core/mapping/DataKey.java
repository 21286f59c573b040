/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.mapping;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import java.util.UUID;

/**
 * A data key beside the data it seals, wrapped by a key that lies elsewhere. Immutable.
 *
 * @param number 1 for the first of a tenant and scope
 * @param keyId what sealed values name
 * @param wrappingKeyId names the key that wraps it
 */
public record DataKey(
    RecordHeader header,
    KeyScope scope,
    int number,
    UUID keyId,
    String wrappingKeyId,
    Bytes wrapped) {}
