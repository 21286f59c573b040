/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.mapping;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.core.payload.StateChangeCodec;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Between the value of one record component and the value of its attribute, neither of them null.
 * Stateless but for what it was made from; thread-safe.
 */
interface Conversion {
  /** What the row holds for the component's value. */
  Object toStored(Object value);

  /** The component's value for what the row holds. */
  Object fromStored(Object stored);

  /**
   * The conversion between a component and an attribute, by their declared types.
   *
   * @param where type and attribute, for messages
   * @throws IllegalArgumentException when there is none: a mistake of the program
   */
  static Conversion between(String where, Type component, Attribute attribute) {
    Class<?> raw = rawClass(component);
    Kind kind = attribute.kind();
    if (raw.isEnum() && kind == Kind.TEXT) {
      return new EnumName(where, raw);
    }
    if (raw == Duration.class && kind == Kind.LONG) {
      return new DurationMicros(where);
    }
    if (kind == Kind.BYTES
        && elementClass(component).filter(StateChange.class::equals).isPresent()) {
      return new StateChanges();
    }
    if (kind == Kind.TEXT_LIST
        && elementClass(component).filter(String.class::equals).isPresent()) {
      return new Texts(where, attribute.maxLength());
    }
    if (kind == Kind.TEXT_LIST || boxed(raw) != kind.javaType()) {
      throw new IllegalArgumentException(
          where + " is a " + kind + ", its record component a " + component.getTypeName());
    }
    if (kind == Kind.TEXT) {
      return new Text(where, attribute.maxLength());
    }
    return kind == Kind.INSTANT ? new Micros(where) : new Same(kind.javaType());
  }

  private static Class<?> rawClass(Type type) {
    return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
  }

  private static Optional<Class<?>> elementClass(Type type) {
    return type instanceof ParameterizedType list && list.getRawType() == List.class
        ? Optional.of(rawClass(list.getActualTypeArguments()[0]))
        : Optional.empty();
  }

  private static Class<?> boxed(Class<?> raw) {
    if (raw == int.class) {
      return Integer.class;
    }
    if (raw == long.class) {
      return Long.class;
    }
    return raw == boolean.class ? Boolean.class : raw;
  }

  /** As it is. */
  record Same(Class<?> javaType) implements Conversion {
    @Override
    public Object toStored(Object value) {
      return value;
    }

    @Override
    public Object fromStored(Object stored) {
      return javaType.cast(stored);
    }
  }

  /** Text, checked on its way in. */
  record Text(String where, int maxLength) implements Conversion {
    @Override
    public Object toStored(Object value) {
      return Inputs.searchable(where, (String) value, maxLength);
    }

    @Override
    public Object fromStored(Object stored) {
      return stored;
    }
  }

  /** Texts, each checked on its way in. */
  record Texts(String where, int maxLength) implements Conversion {
    @Override
    public Object toStored(Object value) {
      List<?> texts = (List<?>) value;
      texts.forEach(text -> Inputs.searchable(where, (String) text, maxLength));
      return List.copyOf(texts);
    }

    @Override
    public Object fromStored(Object stored) {
      return stored;
    }
  }

  /** Instants, cut to whole microseconds on their way in. */
  record Micros(String where) implements Conversion {
    @Override
    public Object toStored(Object value) {
      return Inputs.kept(where, (Instant) value);
    }

    @Override
    public Object fromStored(Object stored) {
      return (Instant) stored;
    }
  }

  /** Durations as whole microseconds, cut. */
  record DurationMicros(String where) implements Conversion {
    @Override
    public Object toStored(Object value) {
      Duration duration = (Duration) value;
      try {
        return Math.addExact(
            Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1_000);
      } catch (ArithmeticException e) {
        throw new InvalidInput(where + " is too long a duration: at most 292,000 years");
      }
    }

    @Override
    public Object fromStored(Object stored) {
      return Duration.of((Long) stored, ChronoUnit.MICROS);
    }
  }

  /** State changes by their codec. */
  record StateChanges() implements Conversion {
    @Override
    @SuppressWarnings("unchecked") // The component's declared type was checked when it was chosen.
    public Object toStored(Object value) {
      return StateChangeCodec.encode((List<StateChange>) value);
    }

    @Override
    public Object fromStored(Object stored) {
      return StateChangeCodec.decode((Bytes) stored);
    }
  }

  /** Enum constants by name. */
  final class EnumName implements Conversion {
    private final String where;
    private final Map<String, Object> constants = new HashMap<>();

    EnumName(String where, Class<?> enumClass) {
      this.where = where;
      for (Object constant : enumClass.getEnumConstants()) {
        constants.put(((Enum<?>) constant).name(), constant);
      }
    }

    @Override
    public Object toStored(Object value) {
      return ((Enum<?>) value).name();
    }

    @Override
    public Object fromStored(Object stored) {
      @Nullable Object constant = constants.get((String) stored);
      if (constant == null) {
        throw new UnsupportedVersion(
            where + " is '" + stored + "', which is not known here: read it with a newer version");
      }
      return constant;
    }
  }
}
