/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.encryption.jpa.EncryptedString;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** An entity of the application, with a column sealed by us and one by a converter of its own. */
@Entity
@Table(schema = "shop", name = "card")
public class Card {
  @Id long id;

  @Column
  @Convert(converter = EncryptedString.class)
  @Nullable String number;

  @Column
  @Convert(converter = NoteConverter.class)
  @Nullable String note;
}
