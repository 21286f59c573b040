/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

/**
 * One attribute of a record type: what a provider must be able to keep, nothing else reaches it.
 *
 * @param name the record component's name
 * @param sensitive sealed before it reaches the provider; never indexed
 * @param maxLength most UTF-16 units of a TEXT (or of one element of a TEXT_LIST); 0 for other
 *     kinds
 * @since 0.1
 */
public record Attribute(
    String name, Kind kind, boolean nullable, boolean sensitive, int maxLength) {
  /** The closed set of kinds, with the Java type of their values and their order. */
  public enum Kind {
    /** {@link Integer}, numeric order. */
    INT(Integer.class),
    /** {@link Long}, numeric order. */
    LONG(Long.class),
    /** {@link Boolean}, false first. */
    BOOLEAN(Boolean.class),
    /** {@link String}, in the order of its UTF-8 bytes, unsigned. */
    TEXT(String.class),
    /** {@link java.util.UUID}, in the order of its 16 bytes, unsigned. */
    UUID(java.util.UUID.class),
    /**
     * {@link java.time.Instant} of the years 1 to 9999, whole microseconds; {@link StoreTime} in
     * after-images and ranges.
     */
    INSTANT(java.time.Instant.class),
    /** {@link io.wovyr.persistence.Bytes}, unsigned lexicographic order. */
    BYTES(io.wovyr.persistence.Bytes.class),
    /** {@link io.wovyr.persistence.payload.StoredPayload}, no order. */
    PAYLOAD(io.wovyr.persistence.payload.StoredPayload.class),
    /**
     * Immutable {@link java.util.List} of strings, in the order given. In an access path one entry
     * per distinct element.
     */
    TEXT_LIST(java.util.List.class);

    private final Class<?> javaType;

    Kind(Class<?> javaType) {
      this.javaType = javaType;
    }

    /** Class of the values. */
    public Class<?> javaType() {
      return javaType;
    }
  }
}
