/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.weborders;

import io.wovyr.encryption.jpa.EncryptedString;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Converter;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;

/** The application's own row of an order; whose it is for is stored encrypted. */
@Entity
@Table(name = "placed_order")
public class PlacedOrder {
  /** Id of the execution. */
  @Id private UUID id = new UUID(0, 0);

  @Column(nullable = false)
  private String tenant = "";

  @Column(nullable = false)
  private String number = "";

  @Column(nullable = false)
  @Convert(converter = RecipientConverter.class)
  private String recipient = "";

  /** For JPA. */
  protected PlacedOrder() {}

  PlacedOrder(UUID id, String tenant, String number, String recipient) {
    this.id = id;
    this.tenant = tenant;
    this.number = number;
    this.recipient = recipient;
  }

  boolean isOf(String other) {
    return tenant.equals(other);
  }

  String number() {
    return number;
  }

  String recipient() {
    return recipient;
  }

  /** Values open in this column only. */
  @Converter
  public static class RecipientConverter extends EncryptedString {
    /** For JPA. */
    public RecipientConverter() {
      super("placed_order.recipient");
    }
  }
}
