/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.quarantine;

import io.wovyr.persistence.RecordHeader;
import java.util.Optional;

/**
 * A record that cannot be read by this version. It is left as it is.
 *
 * @param type name of its record type
 * @param key its key, values joined by {@code /}, a {@code %} or {@code /} within them written as
 *     {@code %25} and {@code %2F}; empty when the store cannot even tell which record it is
 * @param header who wrote it, when, and in which versions; empty when that cannot be read
 * @param detail what is wrong with it: names and versions, never a payload
 * @since 0.1
 */
public record QuarantinedRecord(
    String type,
    Optional<String> key,
    Optional<RecordHeader> header,
    QuarantineReason reason,
    String detail) {}
