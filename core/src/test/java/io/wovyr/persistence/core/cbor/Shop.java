/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What an application would register. */
final class Shop {
  enum State {
    OPEN,
    PAID {
      @Override
      boolean isFinal() {
        return true;
      }
    };

    boolean isFinal() {
      return false;
    }
  }

  sealed interface Shape permits Circle, Square {}

  record Circle(double radius) implements Shape {}

  record Square(float side, @Nullable Shape within) implements Shape {}

  record Order(
      UUID id,
      long quantity,
      Short priority,
      byte flags,
      int count,
      BigDecimal price,
      State state,
      Instant at,
      List<Shape> shapes,
      Map<String, Set<Long>> groups,
      Optional<Order> parent,
      @Nullable Object note) {}

  /** Refuses some values. */
  record Positive(int number) {
    static int made;

    Positive {
      made++;
      if (number <= 0) {
        throw new IllegalArgumentException("secret number " + number);
      }
    }
  }

  private Shop() {}

  static CborPayloadConverter.Builder types() {
    return CborPayloadConverter.builder()
        .register("shop.State", State.class)
        .register("shop.Circle", Circle.class)
        .register("shop.Square", Square.class)
        .register("shop.Order/1", Order.class)
        .register("shop.Positive", Positive.class)
        .requireAllOf(Shape.class);
  }

  static Order order(Optional<Order> parent, @Nullable Object note) {
    return new Order(
        UUID.fromString("01890000-0000-7000-8000-000000000001"),
        6,
        (short) 3,
        (byte) -1,
        Integer.MAX_VALUE,
        new BigDecimal("2.500"),
        State.PAID,
        Instant.parse("2026-02-03T04:05:06.987654321Z"),
        List.of(new Circle(1.5), new Square(0.1f, new Circle(Double.NaN))),
        Map.of("a", Set.of(1L)),
        parent,
        note);
  }
}
