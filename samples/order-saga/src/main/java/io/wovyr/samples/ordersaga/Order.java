/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Currency;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * An order as a customer placed it. Immutable and checked: what exists is valid.
 *
 * @param id unique in its file; the same id is the same order for ever
 * @param customer a label in any script
 * @param country ISO 3166 code of two letters
 * @param currency ISO 4217 code
 * @param amount above zero, with at most the digits its currency has
 */
record Order(
    String id,
    String customer,
    String country,
    String currency,
    BigDecimal amount,
    Priority priority,
    List<Item> items) {
  private static final Set<String> COUNTRIES = Set.of(Locale.getISOCountries());
  private static final BigDecimal MAX_AMOUNT = new BigDecimal("1000000000000");
  private static final int MAX_ID = 64;
  private static final int MAX_TEXT = 200;
  private static final int MAX_ITEMS = 100;
  private static final int MAX_QUANTITY = 10_000;

  /** How urgent it is. */
  enum Priority {
    LOW,
    NORMAL,
    HIGH,
    EXPRESS
  }

  /** So many pieces of one article. */
  record Item(String sku, int quantity) {
    /**
     * @throws IllegalArgumentException naming what is wrong, never the value
     */
    Item {
      text("sku", sku, MAX_ID);
      if (quantity < 1 || quantity > MAX_QUANTITY) {
        throw new IllegalArgumentException("quantity is not between 1 and " + MAX_QUANTITY);
      }
    }
  }

  /**
   * @throws IllegalArgumentException naming what is wrong, never the value
   */
  Order {
    text("order_id", id, MAX_ID);
    text("customer", customer, MAX_TEXT);
    if (!COUNTRIES.contains(country)) {
      throw new IllegalArgumentException("country is not an ISO 3166 code of two letters");
    }
    int digits = digitsOf(currency);
    if (amount.signum() <= 0 || amount.compareTo(MAX_AMOUNT) > 0) {
      throw new IllegalArgumentException("amount is not above zero and at most " + MAX_AMOUNT);
    }
    if (amount.scale() > digits) {
      throw new IllegalArgumentException(
          "amount has " + amount.scale() + " decimals, " + currency + " has " + digits);
    }
    amount = amount.setScale(digits);
    items = List.copyOf(items);
    if (items.isEmpty() || items.size() > MAX_ITEMS) {
      throw new IllegalArgumentException("items are not between 1 and " + MAX_ITEMS);
    }
    Set<String> skus = new HashSet<>();
    for (Item item : items) {
      if (!skus.add(item.sku())) {
        throw new IllegalArgumentException("items name an article twice");
      }
    }
  }

  /** The execution that runs this order: made from its id, so that every run finds the same one. */
  UUID executionId() {
    return UUID.nameUUIDFromBytes(("order-saga/" + id).getBytes(StandardCharsets.UTF_8));
  }

  private static int digitsOf(String currency) {
    try {
      return Math.max(0, Currency.getInstance(currency).getDefaultFractionDigits());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("currency is not an ISO 4217 code", e);
    }
  }

  private static void text(String what, String value, int max) {
    if (value.isBlank() || value.length() > max) {
      throw new IllegalArgumentException(what + " is not a text of 1 to " + max + " characters");
    }
    if (value.chars().anyMatch(c -> c < 0x20 || c == 0x7f)) {
      throw new IllegalArgumentException(what + " has a control character");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
      throw new IllegalArgumentException(what + " has half a character (an unpaired surrogate)");
    }
  }
}
