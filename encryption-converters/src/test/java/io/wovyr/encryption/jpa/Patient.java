/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import jakarta.persistence.Convert;
import jakarta.persistence.Converter;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/** An entity with an encrypted column of each kind. */
@Entity
public class Patient {
  @Id long id;

  @Version int version;

  @Convert(converter = EncryptedString.class)
  String name;

  @Convert(converter = NoteConverter.class)
  String note;

  @Convert(converter = EncryptedBytes.class)
  byte[] scan;

  @Convert(converter = EncryptedNumber.class)
  BigDecimal balance;

  @Convert(converter = EncryptedLong.class)
  Long visits;

  @Convert(converter = EncryptedDate.class)
  LocalDate born;

  @Convert(converter = EncryptedInstant.class)
  Instant seen;

  @Convert(converter = DetailsConverter.class)
  Map<String, Object> details;

  @Convert(converter = AddressConverter.class)
  Address address;

  /** Bound to its column. */
  @Converter
  public static class NoteConverter extends EncryptedString {
    public NoteConverter() {
      super("patient.note");
    }
  }

  /** A map of anything. */
  @Converter
  public static class DetailsConverter extends EncryptedJson<Map<String, Object>> {
    public DetailsConverter() {
      super(new TypeReference<Map<String, Object>>() {}, "patient.details");
    }
  }

  /** A record of the application. */
  @Converter
  public static class AddressConverter extends EncryptedJson<Address> {
    public AddressConverter() {
      super(Address.class, "patient.address");
    }
  }

  /** Where someone lives. */
  public record Address(String street, BigDecimal latitude) {}
}
