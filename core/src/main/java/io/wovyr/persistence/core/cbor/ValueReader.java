/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.core.cbor.DeclaredType.Fit;
import io.wovyr.persistence.core.cbor.RegisteredType.Component;
import io.wovyr.persistence.core.cbor.RegisteredType.EnumForm;
import io.wovyr.persistence.core.cbor.RegisteredType.RecordForm;
import java.lang.reflect.InvocationTargetException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;
import tools.jackson.dataformat.cbor.CBORParser;

/** Reads one value. Single-threaded. */
final class ValueReader {
  private static final int MAJOR_BYTES = 2;
  private static final int MAJOR_TEXT = 3;
  private static final int MAJOR_ARRAY = 4;
  private static final int UUID_BYTES = 16;

  /** Bytes of the tag 3, of an empty byte string, of the end of a chunked one. */
  private static final int NEGATIVE = 0xc3;

  private static final int EMPTY_BYTES = 0x40;
  private static final int BREAK = 0xff;

  private final CBORParser in;
  private final byte[] content;
  private final TypeRegistry types;
  private final Trail trail;

  ValueReader(CBORParser in, byte[] content, TypeRegistry types, Trail trail) {
    this.in = in;
    this.content = content;
    this.types = types;
    this.trail = trail;
  }

  /** The value that is all of the bytes. */
  @Nullable Object readAll() {
    Object value = read(next());
    if (in.currentLocation().getByteOffset() != content.length) {
      throw corrupt("bytes follow the value");
    }
    return value;
  }

  private JsonToken next() {
    JsonToken token = in.nextToken();
    if (token == null) {
      throw corrupt("the bytes end within the value");
    }
    return token;
  }

  private Corrupt corrupt(String what) {
    return new Corrupt(trail + ": " + what, null);
  }

  /** The value that begins with the current token. */
  private @Nullable Object read(JsonToken token) {
    trail.count();
    Head head = head();
    return switch (head.tag()) {
      case Head.NESTED -> throw corrupt("a tag within a tag is never written");
      case Tags.NONE -> untagged(token);
      case Tags.POSITIVE_BIGNUM, Tags.NEGATIVE_BIGNUM -> {
        check(head, MAJOR_BYTES);
        yield bignum(head.tag());
      }
      case Tags.DECIMAL_FRACTION -> {
        check(head, MAJOR_ARRAY);
        yield decimal();
      }
      case Tags.INSTANT -> text(head, Instant.class);
      case Tags.LOCAL_DATE -> text(head, LocalDate.class);
      case Tags.NAMED_TYPE -> {
        check(head, MAJOR_ARRAY);
        yield named();
      }
      case Tags.UUID -> {
        check(head, MAJOR_BYTES);
        yield uuid(in.getBinaryValue());
      }
      case Tags.SHORTS, Tags.INTS, Tags.LONGS, Tags.FLOATS, Tags.DOUBLES -> {
        check(head, MAJOR_BYTES);
        yield numbers(head.tag());
      }
      case Tags.SET -> {
        check(head, MAJOR_ARRAY);
        yield set();
      }
      default ->
          throw new UnsupportedVersion(
              trail + ": a value under the tag " + head.tag() + " is not known here");
    };
  }

  private Head head() {
    return Head.at(content, (int) in.currentTokenLocation().getByteOffset());
  }

  private void check(Head head, int major) {
    if (head.major() != major) {
      throw corrupt("the tag " + head.tag() + " is on a value of another kind");
    }
  }

  private @Nullable Object untagged(JsonToken token) {
    return switch (token) {
      case VALUE_NULL -> null;
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_STRING -> in.getString();
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> floating();
      case VALUE_EMBEDDED_OBJECT -> bytes();
      case START_ARRAY -> list();
      case START_OBJECT -> map();
      default -> throw corrupt("the bytes end within the value");
    };
  }

  private Object integer() {
    if (in.getNumberType() == NumberType.BIG_INTEGER) {
      return in.getBigIntegerValue();
    }
    long value = in.getLongValue();
    if (value == (int) value) {
      return (int) value;
    }
    return value;
  }

  private Object floating() {
    if (in.getNumberType() == NumberType.FLOAT) {
      return in.getFloatValue();
    }
    return in.getDoubleValue();
  }

  private BigInteger bignum(int tag) {
    BigInteger value = in.getBigIntegerValue();
    // The parser takes an empty negative bignum, which is -1, for 0.
    return tag == Tags.NEGATIVE_BIGNUM && value.signum() == 0 ? BigInteger.ONE.negate() : value;
  }

  private BigDecimal decimal() {
    BigDecimal value = in.getDecimalValue();
    int end = (int) in.currentLocation().getByteOffset();
    // As above; a zero that is not empty ends in a zero byte.
    return value.signum() == 0 && endsEmptyNegative(end)
        ? new BigDecimal(BigInteger.ONE.negate(), value.scale())
        : value;
  }

  private boolean endsEmptyNegative(int end) {
    int last = content[end - 1] & 0xff;
    int before = content[end - 2] & 0xff;
    if (last == BREAK) {
      throw corrupt("a decimal of chunks is never written");
    }
    return last == EMPTY_BYTES && before == NEGATIVE;
  }

  private byte[] bytes() {
    if (in.getEmbeddedObject() instanceof byte[] bytes) {
      return bytes;
    }
    throw corrupt("a simple value other than true, false and null is never written");
  }

  private Object text(Head head, Class<?> type) {
    check(head, MAJOR_TEXT);
    return parsed(TextForm.of(type), in.getString());
  }

  private Object parsed(@Nullable TextForm form, String text) {
    return Optional.ofNullable(form)
        .flatMap(known -> known.parse(text))
        .orElseThrow(() -> corrupt("the text is not as its type writes it"));
  }

  private UUID uuid(byte[] bytes) {
    if (bytes.length != UUID_BYTES) {
      throw corrupt("a UUID has 16 bytes, not " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UUID(buffer.getLong(), buffer.getLong());
  }

  private Object numbers(int tag) {
    Object array = NumberArrays.array(tag, in.getBinaryValue());
    if (array == null) {
      throw corrupt("an array of numbers is cut");
    }
    return array;
  }

  private List<@Nullable Object> list() {
    trail.enter();
    List<@Nullable Object> elements = new ArrayList<>();
    for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
      trail.element(elements.size());
      elements.add(read(token));
    }
    trail.leave();
    return elements.isEmpty() ? List.of() : Collections.unmodifiableList(elements);
  }

  private Set<@Nullable Object> set() {
    trail.enter();
    Set<@Nullable Object> elements = new LinkedHashSet<>();
    for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
      trail.element(elements.size());
      if (!elements.add(read(token))) {
        throw corrupt("the set has this element twice");
      }
    }
    trail.leave();
    return elements.isEmpty() ? Set.of() : Collections.unmodifiableSet(elements);
  }

  private Map<String, @Nullable Object> map() {
    trail.enter();
    Map<String, @Nullable Object> entries = new LinkedHashMap<>();
    for (JsonToken token = next(); token != JsonToken.END_OBJECT; token = next()) {
      trail.entry(entries.size());
      String key = key();
      if (entries.containsKey(key)) {
        throw corrupt("the map has this key twice");
      }
      entries.put(key, read(next()));
    }
    trail.leave();
    return entries.isEmpty() ? Map.of() : Collections.unmodifiableMap(entries);
  }

  /** The current key. The parser would turn a number into text. */
  private String key() {
    Head head = head();
    if (head.tag() != Tags.NONE || head.major() != MAJOR_TEXT) {
      throw corrupt("a map's key is not text");
    }
    return in.currentName();
  }

  // Values under a name.

  private @Nullable Object named() {
    trail.enter();
    String name = plainText(next());
    Object value =
        switch (name) {
          case Tags.LONG -> integer(name, Long.class);
          case Tags.SHORT -> integer(name, Short.class);
          case Tags.BYTE -> integer(name, Byte.class);
          case Tags.CHAR -> character();
          case Tags.OPTIONAL -> optional();
          default -> namedElsewhere(name);
        };
    if (in.currentToken() != JsonToken.END_ARRAY && next() != JsonToken.END_ARRAY) {
      throw corrupt("more follows in a named value");
    }
    trail.leave();
    return value;
  }

  private String plainText(JsonToken token) {
    if (token != JsonToken.VALUE_STRING || head().tag() != Tags.NONE) {
      throw corrupt("a text is missing in a named value");
    }
    return in.getString();
  }

  private Object integer(String name, Class<?> type) {
    JsonToken token = next();
    if (token != JsonToken.VALUE_NUMBER_INT || head().tag() != Tags.NONE) {
      throw corrupt("a " + name + " is not an integer");
    }
    return DeclaredType.of(type)
        .fit(integer())
        .map(Fit::value)
        .orElseThrow(() -> corrupt("a " + name + " is not in its range"));
  }

  private Character character() {
    String text = plainText(next());
    if (text.length() != 1) {
      throw corrupt("a character is not one UTF-16 unit");
    }
    return text.charAt(0);
  }

  private Optional<Object> optional() {
    JsonToken token = next();
    if (token == JsonToken.END_ARRAY) {
      return Optional.empty();
    }
    trail.element(0);
    Object value = read(token);
    if (value == null) {
      throw corrupt("an optional holds null");
    }
    next();
    return Optional.of(value);
  }

  private Object namedElsewhere(String name) {
    TextForm form = TextForm.named(name);
    if (form != null) {
      return parsed(form, plainText(next()));
    }
    RegisteredType type = types.named(name);
    if (type instanceof EnumForm known) {
      return constant(known);
    }
    if (type instanceof RecordForm known) {
      return created(known);
    }
    boolean isName = TypeRegistry.NAME.matcher(name).matches();
    throw isName
        ? new UnsupportedVersion(trail + ": the type " + name + " is not registered here")
        : corrupt("a type's name is not one");
  }

  private Object constant(EnumForm type) {
    Object constant = type.constants().get(plainText(next()));
    if (constant == null) {
      throw new UnsupportedVersion(
          trail + ": the type " + type.name() + " has no such constant here");
    }
    return constant;
  }

  private Object created(RecordForm type) {
    if (next() != JsonToken.START_OBJECT) {
      throw corrupt("the components of a " + type.name() + " are missing");
    }
    @Nullable Object[] values = new @Nullable Object[type.components().size()];
    boolean[] seen = new boolean[values.length];
    for (JsonToken token = next(); token != JsonToken.END_OBJECT; token = next()) {
      Component component = type.component(key());
      if (component == null) {
        throw otherShape(type, "it has a component that is not there here");
      }
      trail.component(component.name());
      if (seen[component.position()]) {
        throw corrupt("the component is there twice");
      }
      seen[component.position()] = true;
      values[component.position()] = component(type, component);
    }
    for (Component component : type.components()) {
      if (!seen[component.position()]) {
        throw otherShape(type, "it has no component " + component.name());
      }
    }
    return made(type, values);
  }

  private UnsupportedVersion otherShape(RecordForm type, String how) {
    return new UnsupportedVersion(
        trail + ": the type " + type.name() + " was written in another shape: " + how);
  }

  private @Nullable Object component(RecordForm type, Component component) {
    Object value = read(next());
    Optional<Fit> fit = component.declared().fit(value);
    if (fit.isEmpty()) {
      throw otherShape(
          type,
          "%s, where a %s is expected here"
              .formatted(
                  value == null ? "null" : value.getClass().getName(),
                  component.declared().name()));
    }
    return fit.get().value();
  }

  private Object made(RecordForm type, @Nullable Object[] values) {
    try {
      return type.create(values);
    } catch (InvocationTargetException e) {
      if (e.getTargetException() instanceof Error error) {
        throw error;
      }
      // Its message may quote content.
      throw corrupt(
          "the type %s refuses its values with a %s"
              .formatted(type.name(), e.getTargetException().getClass().getName()));
    }
  }
}
