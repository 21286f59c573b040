/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.encryptedcolumns;

import io.wovyr.encryption.jpa.EncryptedDate;
import io.wovyr.encryption.jpa.EncryptedJson;
import io.wovyr.encryption.jpa.EncryptedNumber;
import io.wovyr.encryption.jpa.EncryptedString;
import jakarta.persistence.Convert;
import jakarta.persistence.Converter;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** A customer; all but id and country is stored encrypted. */
@Entity
public class Customer {
  @Id private long id;

  @Version private int version;

  /** In clear: a column to search by. */
  private String country = "";

  @Convert(converter = EmailConverter.class)
  private String email = "";

  @Convert(converter = EncryptedDate.class)
  private @Nullable LocalDate born;

  @Convert(converter = EncryptedNumber.class)
  private BigDecimal creditLimit = BigDecimal.ZERO;

  @Convert(converter = AddressConverter.class)
  private @Nullable Address address;

  /** For JPA. */
  protected Customer() {}

  /** A customer without birthday, credit or address. */
  public Customer(long id, String country, String email) {
    this.id = id;
    this.country = country;
    this.email = email;
  }

  /** Tells what is known besides. */
  public void describe(LocalDate birthday, BigDecimal limit, Address home) {
    born = birthday;
    creditLimit = limit;
    address = home;
  }

  @Override
  public String toString() {
    return "%d %s %s %s %s %s".formatted(id, country, email, born, creditLimit, address);
  }

  /** Values open in this column only. */
  @Converter
  public static class EmailConverter extends EncryptedString {
    /** For JPA. */
    public EmailConverter() {
      super("customer.email");
    }
  }

  /** Any type that Jackson writes and reads. */
  @Converter
  public static class AddressConverter extends EncryptedJson<Address> {
    /** For JPA. */
    public AddressConverter() {
      super(Address.class, "customer.address");
    }
  }

  /** Where a customer lives. */
  public record Address(String street, String city) {}
}
