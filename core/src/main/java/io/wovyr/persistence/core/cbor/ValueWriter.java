/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.core.cbor.RegisteredType.Component;
import io.wovyr.persistence.core.cbor.RegisteredType.EnumForm;
import io.wovyr.persistence.core.cbor.RegisteredType.RecordForm;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.SerializedString;
import tools.jackson.dataformat.cbor.CBORGenerator;

/** Writes one value. Single-threaded. */
final class ValueWriter {
  private static final Set<Class<?>> SCALARS =
      Set.of(
          String.class,
          Boolean.class,
          Character.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          byte[].class);

  private static final int LONG_BITS = 63;

  private final CBORGenerator out;
  private final TypeRegistry types;
  private final Trail trail;

  ValueWriter(CBORGenerator out, TypeRegistry types, Trail trail) {
    this.out = out;
    this.types = types;
    this.trail = trail;
  }

  /** True for the classes that are kept without being registered, collections aside. */
  static boolean isScalar(Class<?> type) {
    return SCALARS.contains(type) || TextForm.of(type) != null || NumberArrays.isOne(type);
  }

  void write(@Nullable Object value) {
    trail.count();
    if (value == null) {
      out.writeNull();
    } else if (!writeNumber(value) && !writeScalar(value) && !writeRegistered(value)) {
      writeHolder(value);
    }
  }

  private boolean writeNumber(Object value) {
    if (value instanceof Integer number) {
      out.writeNumber(number);
    } else if (value instanceof Long number) {
      writeLong(number);
    } else if (value instanceof Short number) {
      writeNamed(Tags.SHORT, number);
    } else if (value instanceof Byte number) {
      writeNamed(Tags.BYTE, number);
    } else if (value instanceof Float number) {
      out.writeNumber(number);
    } else if (value instanceof Double number) {
      out.writeNumber(number);
    } else if (value.getClass() == BigInteger.class) {
      writeBignum((BigInteger) value);
    } else if (value.getClass() == BigDecimal.class) {
      writeDecimal((BigDecimal) value);
    } else {
      return false;
    }
    return true;
  }

  /** An integer that fits 32 bits would be read as an Integer: such a Long says what it is. */
  private void writeLong(long value) {
    if (value == (int) value) {
      writeNamed(Tags.LONG, value);
    } else {
      out.writeNumber(value);
    }
  }

  private void writeNamed(String name, long value) {
    openNamed(name, 2);
    out.writeNumber(value);
    closeNamed();
  }

  private void writeBignum(BigInteger value) {
    boolean negative = value.signum() < 0;
    byte[] magnitude = (negative ? value.not() : value).toByteArray();
    int start = magnitude.length > 1 && magnitude[0] == 0 ? 1 : 0;
    out.writeTag(negative ? Tags.NEGATIVE_BIGNUM : Tags.POSITIVE_BIGNUM);
    out.writeBinary(magnitude, start, magnitude.length - start);
  }

  private void writeDecimal(BigDecimal value) {
    out.writeTag(Tags.DECIMAL_FRACTION);
    out.writeStartArray(null, 2);
    out.writeNumber(-(long) value.scale());
    BigInteger unscaled = value.unscaledValue();
    if (unscaled.bitLength() <= LONG_BITS) {
      out.writeNumber(unscaled.longValue());
    } else {
      writeBignum(unscaled);
    }
    out.writeEndArray();
  }

  private boolean writeScalar(Object value) {
    if (value instanceof String text) {
      writeText(text);
    } else if (value instanceof Boolean truth) {
      out.writeBoolean(truth);
    } else if (value instanceof Character character) {
      openNamed(Tags.CHAR, 2);
      writeText(character.toString());
      closeNamed();
    } else if (value instanceof byte[] bytes) {
      out.writeBinary(bytes);
    } else if (value instanceof UUID id) {
      out.writeTag(Tags.UUID);
      out.writeBinary(
          ByteBuffer.allocate(2 * Long.BYTES)
              .putLong(id.getMostSignificantBits())
              .putLong(id.getLeastSignificantBits())
              .array());
    } else if (NumberArrays.isOne(value.getClass())) {
      out.writeTag(NumberArrays.tagOf(value.getClass()));
      out.writeBinary(NumberArrays.bytes(value));
    } else {
      TextForm form = TextForm.of(value.getClass());
      if (form == null) {
        return false;
      }
      writeTextForm(form, value);
    }
    return true;
  }

  private void writeTextForm(TextForm form, Object value) {
    String text = value.toString();
    if (!form.parse(text).equals(Optional.of(value))) {
      throw new InvalidInput(trail + ": this " + value.getClass().getName() + " cannot be kept");
    }
    int tag = form.tagOf(text);
    if (tag == Tags.NONE) {
      openNamed(form.name(), 2);
      writeText(text);
      closeNamed();
    } else {
      out.writeTag(tag);
      writeText(text);
    }
  }

  private void writeText(String text) {
    byte[] bytes = utf8(text);
    out.writeUTF8String(bytes, 0, bytes.length);
  }

  private byte[] utf8(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new InvalidInput(trail + ": the text has half a surrogate pair");
    }
  }

  private void openNamed(String name, int length) {
    trail.enter();
    out.writeTag(Tags.NAMED_TYPE);
    out.writeStartArray(null, length);
    out.writeString(name);
  }

  private void closeNamed() {
    out.writeEndArray();
    trail.leave();
  }

  private boolean writeRegistered(Object value) {
    Class<?> type = value instanceof Enum<?> one ? one.getDeclaringClass() : value.getClass();
    RegisteredType registered = types.of(type);
    if (registered instanceof EnumForm) {
      openNamed(registered.name(), 2);
      writeText(((Enum<?>) value).name());
      closeNamed();
      return true;
    }
    if (registered instanceof RecordForm form) {
      openNamed(form.name(), 2);
      writeComponents(form, value);
      closeNamed();
      return true;
    }
    return false;
  }

  private void writeComponents(RecordForm form, Object value) {
    out.writeStartObject(null, form.components().size());
    for (Component component : form.components()) {
      trail.component(component.name());
      out.writeName(component.name());
      writeComponent(component, form.read(component, value));
    }
    out.writeEndObject();
  }

  private void writeComponent(Component component, @Nullable Object value) {
    if (value != null && component.declared().isInteger()) {
      trail.count();
      out.writeNumber(((Number) value).longValue());
    } else {
      write(value);
    }
  }

  private void writeHolder(Object value) {
    if (value instanceof Map<?, ?> map) {
      writeMap(map);
    } else if (value instanceof List<?> list) {
      writeElements(list, element -> true);
    } else if (value instanceof Set<?> set) {
      out.writeTag(Tags.SET);
      // Not every set is one: of the JDK's, some compare by identity or by a comparator.
      Set<@Nullable Object> seen = new HashSet<>();
      writeElements(set, seen::add);
    } else if (value instanceof Optional<?> optional) {
      writeOptional(optional);
    } else {
      throw new InvalidInput(
          trail + ": " + value.getClass().getName() + " is neither kept nor registered");
    }
  }

  private void writeOptional(Optional<?> optional) {
    openNamed(Tags.OPTIONAL, optional.isPresent() ? 2 : 1);
    if (optional.isPresent()) {
      trail.element(0);
      write(optional.get());
    }
    closeNamed();
  }

  private void writeElements(Collection<?> elements, Predicate<@Nullable Object> isNew) {
    trail.enter();
    out.writeStartArray(null, elements.size());
    int index = 0;
    for (Object element : elements) {
      trail.element(index++);
      if (!isNew.test(element)) {
        throw new InvalidInput(trail + ": the set has this element twice");
      }
      write(element);
    }
    out.writeEndArray();
    trail.leave();
  }

  private void writeMap(Map<?, ?> map) {
    trail.enter();
    out.writeStartObject(null, map.size());
    Set<String> seen = new HashSet<>();
    int position = 0;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      trail.entry(position++);
      if (!(entry.getKey() instanceof String key)) {
        throw new InvalidInput(
            "%s: a map's keys must be text, this one is %s"
                .formatted(
                    trail, entry.getKey() == null ? "null" : entry.getKey().getClass().getName()));
      }
      if (!seen.add(key)) {
        throw new InvalidInput(trail + ": the map has this key twice");
      }
      utf8(key);
      out.writeName(new SerializedString(key));
      write(entry.getValue());
    }
    out.writeEndObject();
    trail.leave();
  }
}
