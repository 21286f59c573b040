/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import io.wovyr.encryption.jpa.ColumnEncryption;
import io.wovyr.encryption.jpa.EncryptedString;
import jakarta.persistence.Converter;

/** The actor of a revision, sealed by the store that is written or read. Thread-safe. */
@Converter
public final class RevisionActorConverter extends EncryptedString {
  /** For Hibernate. */
  public RevisionActorConverter() {
    super("revision.actor");
  }

  @Override
  protected ColumnEncryption encryption() {
    return RevisionContext.encryption();
  }
}
