/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shows a value with the type of everything in it, in the form of {@code
 * docs/format/decode-cbor.py}: two values that look the same are the same, in class, value and
 * order.
 */
final class Shown {
  private static final Map<Class<?>, String> NAMES =
      Map.of(
          Shop.State.class, "shop.State",
          Shop.Circle.class, "shop.Circle",
          Shop.Square.class, "shop.Square",
          Shop.Order.class, "shop.Order/1",
          Shop.Positive.class, "shop.Positive");

  private Shown() {}

  static String of(@Nullable Object value) {
    if (value == null || value instanceof Boolean) {
      return String.valueOf(value);
    }
    if (value instanceof String text) {
      return quoted(text);
    }
    if (value instanceof Number number) {
      return number(number);
    }
    if (value.getClass().isArray()) {
      return array(value);
    }
    if (value instanceof Enum<?> constant) {
      return "{\"type\":%s,\"constant\":%s}"
          .formatted(quoted(nameOf(constant.getDeclaringClass())), quoted(constant.name()));
    }
    if (value instanceof Record instance) {
      return instance(instance);
    }
    return holder(value);
  }

  private static String nameOf(Class<?> type) {
    return Objects.requireNonNull(NAMES.get(type));
  }

  private static String one(String type, Object shown) {
    return "{\"" + type + "\":" + shown + "}";
  }

  private static String number(Number number) {
    if (number instanceof Integer) {
      return one("int", number);
    }
    if (number instanceof Float value) {
      return one("float", quoted(hex(value)));
    }
    if (number instanceof Double value) {
      return one("double", quoted(hex(value)));
    }
    if (number instanceof BigInteger) {
      return one("bigint", quoted(number.toString()));
    }
    if (number instanceof BigDecimal value) {
      return one(
          "decimal", "[" + quoted(value.unscaledValue().toString()) + "," + value.scale() + "]");
    }
    return one(number.getClass().getSimpleName().toLowerCase(Locale.ROOT), number);
  }

  private static String hex(float value) {
    return "%08x".formatted(Float.floatToIntBits(value));
  }

  private static String hex(double value) {
    return "%016x".formatted(Double.doubleToLongBits(value));
  }

  private static String array(Object array) {
    if (array instanceof byte[] bytes) {
      return one("bytes", quoted(HexFormat.of().formatHex(bytes)));
    }
    StringJoiner elements = new StringJoiner(",", "[", "]");
    for (int i = 0; i < Array.getLength(array); i++) {
      Object element = Array.get(array, i);
      elements.add(
          element instanceof Float value
              ? quoted(hex(value))
              : element instanceof Double value ? quoted(hex(value)) : element.toString());
    }
    return one(array.getClass().getSimpleName(), elements);
  }

  private static String instance(Record instance) {
    StringJoiner components = new StringJoiner(",", "[", "]");
    for (RecordComponent component : instance.getClass().getRecordComponents()) {
      Object value = read(component, instance);
      // In a component its declaration tells the type, not the data.
      boolean plain =
          Set.of(byte.class, short.class, Short.class, long.class).contains(component.getType());
      Object shown = plain && value instanceof Number number ? narrow(number.longValue()) : value;
      components.add("[" + quoted(component.getName()) + "," + of(shown) + "]");
    }
    return "{\"type\":%s,\"components\":%s}"
        .formatted(quoted(nameOf(instance.getClass())), components);
  }

  private static Number narrow(long value) {
    if (value == (int) value) {
      return (int) value;
    }
    return value;
  }

  private static @Nullable Object read(RecordComponent component, Record instance) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(instance);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a record's accessor", e);
    }
  }

  private static String holder(Object value) {
    if (value instanceof Map<?, ?> map) {
      return one(
          "map",
          joined(
              map.entrySet(),
              entry -> "[" + of(entry.getKey()) + "," + of(entry.getValue()) + "]"));
    }
    if (value instanceof List<?> list) {
      return one("list", joined(list, Shown::of));
    }
    if (value instanceof Set<?> set) {
      return one("set", joined(set, Shown::of));
    }
    if (value instanceof Optional<?> optional) {
      return one("optional", joined(optional.stream().toList(), Shown::of));
    }
    if (value instanceof UUID) {
      return one("uuid", quoted(value.toString()));
    }
    if (value instanceof Character) {
      return one("char", quoted(value.toString()));
    }
    String name = value.getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-");
    return one(name.toLowerCase(Locale.ROOT), quoted(value.toString()));
  }

  private static <T> StringJoiner joined(
      Collection<T> elements, Function<? super T, String> shown) {
    StringJoiner joined = new StringJoiner(",", "[", "]");
    elements.forEach(element -> joined.add(shown.apply(element)));
    return joined;
  }

  /** JSON in ASCII. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      switch (character) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        case '\b' -> quoted.append("\\b");
        case '\f' -> quoted.append("\\f");
        default -> {
          if (character < ' ' || character > '~') {
            quoted.append("\\u%04x".formatted((int) character));
          } else {
            quoted.append(character);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
