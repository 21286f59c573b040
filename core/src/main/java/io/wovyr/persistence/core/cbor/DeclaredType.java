/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a component of a registered record may hold, from its declaration: checked down to the type
 * arguments, so that no value of another type gets in by erasure. Immutable.
 *
 * @param type the class, a primitive's wrapper for a primitive
 * @param arguments of a collection, map or optional; empty when they were not given
 */
record DeclaredType(Class<?> type, boolean primitive, List<DeclaredType> arguments) {
  private static final Map<Class<?>, Class<?>> WRAPPERS =
      Map.of(
          boolean.class, Boolean.class,
          byte.class, Byte.class,
          short.class, Short.class,
          int.class, Integer.class,
          long.class, Long.class,
          float.class, Float.class,
          double.class, Double.class,
          char.class, Character.class);
  private static final Set<Class<?>> INTEGERS =
      Set.of(Byte.class, Short.class, Integer.class, Long.class);

  /**
   * The type of a declaration.
   *
   * @throws IllegalArgumentException when no value this format gives back would fit it
   */
  static DeclaredType of(Type declared) {
    if (declared instanceof Class<?> plain) {
      Class<?> type = WRAPPERS.getOrDefault(plain, plain);
      checkKept(type);
      return new DeclaredType(type, plain.isPrimitive(), List.of());
    }
    if (declared instanceof ParameterizedType generic) {
      Class<?> raw = (Class<?>) generic.getRawType();
      checkKept(raw);
      boolean holder = isHolder(raw);
      return new DeclaredType(
          raw,
          false,
          holder
              ? Arrays.stream(generic.getActualTypeArguments()).map(DeclaredType::of).toList()
              : List.of());
    }
    if (declared instanceof WildcardType wildcard) {
      return of(wildcard.getUpperBounds()[0]);
    }
    if (declared instanceof TypeVariable<?> variable) {
      return of(variable.getBounds()[0]);
    }
    throw new IllegalArgumentException(declared.getTypeName() + " is not kept");
  }

  private static boolean isHolder(Class<?> type) {
    return type == List.class
        || type == Set.class
        || type == Collection.class
        || type == Map.class
        || type == Optional.class;
  }

  private static void checkKept(Class<?> type) {
    boolean otherHolder =
        !isHolder(type)
            && (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type));
    boolean open = Modifier.isAbstract(type.getModifiers()) && !type.isArray();
    boolean kept =
        open
            || isHolder(type)
            || type == Object.class
            || type.isEnum()
            || type.isRecord()
            || ValueWriter.isScalar(type);
    if (otherHolder || !kept) {
      throw new IllegalArgumentException(type.getName() + " is not kept");
    }
  }

  /** True where the declaration tells an integer's type, so that the data need not. */
  boolean isInteger() {
    return INTEGERS.contains(type);
  }

  /** What of the type an error may name. */
  String name() {
    return type.getName();
  }

  /** The value as this type has it; empty when it does not fit. Null fits all but primitives. */
  Optional<Fit> fit(@Nullable Object value) {
    if (value == null) {
      return primitive ? Optional.empty() : Optional.of(new Fit(null));
    }
    if (isInteger() && !type.isInstance(value)) {
      return integer(value).map(Fit::new);
    }
    return type.isInstance(value) && argumentsFit(value)
        ? Optional.of(new Fit(value))
        : Optional.empty();
  }

  /** A value that fits, perhaps null. */
  record Fit(@Nullable Object value) {}

  private Optional<Object> integer(Object value) {
    if (!(value instanceof Integer) && !(value instanceof Long)) {
      return Optional.empty();
    }
    long exact = ((Number) value).longValue();
    if (type == Long.class) {
      return Optional.of(exact);
    }
    if (type == Integer.class) {
      return exact == (int) exact ? Optional.of((int) exact) : Optional.empty();
    }
    if (type == Short.class) {
      return exact == (short) exact ? Optional.of((short) exact) : Optional.empty();
    }
    return exact == (byte) exact ? Optional.of((byte) exact) : Optional.empty();
  }

  private boolean argumentsFit(Object value) {
    if (arguments.isEmpty()) {
      return true;
    }
    DeclaredType last = arguments.get(arguments.size() - 1);
    if (value instanceof Map<?, ?> map) {
      DeclaredType key = arguments.get(0);
      return map.entrySet().stream()
          .allMatch(entry -> key.holds(entry.getKey()) && last.holds(entry.getValue()));
    }
    if (value instanceof Collection<?> elements) {
      return elements.stream().allMatch(last::holds);
    }
    return last.holds(((Optional<?>) value).orElse(null));
  }

  /** True when a value within another is of this type as it is. */
  private boolean holds(@Nullable Object value) {
    return value == null || (type.isInstance(value) && argumentsFit(value));
  }
}
