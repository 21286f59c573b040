/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import io.wovyr.persistence.PersistenceException.Corrupt;
import jakarta.persistence.AttributeConverter;
import org.jspecify.annotations.Nullable;

/**
 * An attribute converter that stores a value sealed, as {@code docs/format/sealing.md} says: 61
 * bytes more than the value. Null stays null and is not hidden. Equal values give different bytes,
 * so an encrypted column cannot be searched, sorted, unique or indexed. Thread-safe.
 *
 * <p>A subclass that gives a name of the column binds values to it: they do not open in another
 * column. The name is part of what is stored; never change it for a column that has values.
 *
 * @param <T> type of the attribute
 * @since 0.1
 */
public abstract class EncryptedColumn<T> implements AttributeConverter<T, byte[]> {
  private final String path;
  private volatile @Nullable ColumnEncryption encryption;

  /**
   * @param kind of this converter; values of one kind do not open as another
   * @param column name of the column, such as {@code customer.email}; empty: not bound to one
   */
  EncryptedColumn(String kind, String column) {
    this.path = column.isEmpty() ? kind : kind + ":" + column;
  }

  /**
   * @throws io.wovyr.persistence.PersistenceException.InvalidInput when the value cannot be stored
   *     exactly
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when there is no key, or no
   *     {@link ColumnEncryption}; nothing is stored
   */
  @Override
  public final byte @Nullable [] convertToDatabaseColumn(@Nullable T attribute) {
    return attribute == null ? null : encryption().seal(encode(attribute), path);
  }

  /**
   * @throws Corrupt when the bytes were changed, or belong to another column or tenant
   * @throws io.wovyr.persistence.PersistenceException.UnknownKey when their key is not here
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion when they are of a newer
   *     version
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when there is no key now, or no
   *     {@link ColumnEncryption}
   */
  @Override
  public final @Nullable T convertToEntityAttribute(byte @Nullable [] stored) {
    if (stored == null) {
      return null;
    }
    byte[] plain = encryption().open(stored, path);
    try {
      return decode(plain);
    } catch (RuntimeException e) {
      throw new Corrupt("a value of column " + path + " opens, but is none of this type", e);
    }
  }

  /** The plain bytes of a value. */
  abstract byte[] encode(T value);

  /** The value of plain bytes; any exception means that they are none. */
  abstract T decode(byte[] plain);

  /**
   * What this converter seals and opens with: the one of the application, looked for when it is
   * first needed. A subclass whose values belong to several stores in one process answers the one
   * of the store at hand.
   *
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when there is none
   */
  protected ColumnEncryption encryption() {
    ColumnEncryption known = encryption;
    if (known == null) {
      known = ColumnEncryption.find();
      encryption = known;
    }
    return known;
  }
}
