/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.PayloadConverter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.dataformat.cbor.CBORFactory;
import tools.jackson.dataformat.cbor.CBORGenerator;
import tools.jackson.dataformat.cbor.CBORParser;

/**
 * Values as CBOR (RFC 8949), content type {@value #CONTENT_TYPE}, as {@code
 * docs/format/cbor-payload.md} specifies. Keeps, each as what it was: booleans, characters, all
 * integers and floating-point numbers (NaN and infinities too), {@link java.math.BigInteger},
 * {@link java.math.BigDecimal} with its scale, text with any character, UUID, the value types of
 * {@code java.time}, arrays of primitive numbers, Optional, lists, sets and maps with text keys in
 * their order, and the records and enums that were registered. Collections come back unmodifiable,
 * null elements kept. All else is refused when it is written.
 *
 * <p>Data names registered names, never classes; a map that looks like a type stays a map.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class CborPayloadConverter implements PayloadConverter {
  /** The content type of the payloads. */
  public static final String CONTENT_TYPE = "application/cbor";

  /** A registered record inside a list inside a map: each is up to two levels of the encoding. */
  private static final int LEVELS_PER_VALUE = 2;

  private final TypeRegistry types;
  private final Bounds bounds;
  private final CBORFactory factory;

  private CborPayloadConverter(TypeRegistry types, Bounds bounds) {
    this.types = types;
    this.bounds = bounds;
    int levels = LEVELS_PER_VALUE * (bounds.maxDepth() + 1);
    factory =
        CBORFactory.builder()
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(levels)
                    .maxNumberLength(bounds.maxBytes())
                    .maxStringLength(bounds.maxBytes())
                    .maxNameLength(bounds.maxBytes())
                    .build())
            .streamWriteConstraints(
                StreamWriteConstraints.builder().maxNestingDepth(levels).build())
            .build();
  }

  /** Begins a converter: no types registered, at most 8 MiB, 64 levels, a million values. */
  public static Builder builder() {
    return new Builder();
  }

  /** See {@link CborPayloadConverter#builder()}. Not thread-safe. */
  public static final class Builder {
    private final Map<String, Class<?>> types = new LinkedHashMap<>();
    private final List<Class<?>> sealed = new ArrayList<>();
    private Bounds bounds = Bounds.STANDARD;

    private Builder() {}

    /**
     * Registers a record or an enum under the name it has in data, for ever: a type that changes
     * its shape gets another name, and the old one stays as long as there is data of it.
     *
     * @param name 1 to 128 letters, digits and {@code . _ / @ -}, a letter first
     * @throws IllegalArgumentException when the name is taken
     */
    public Builder register(String name, Class<?> type) {
      if (types.putIfAbsent(name, Objects.requireNonNull(type)) != null) {
        throw new IllegalArgumentException("the name " + name + " is registered twice");
      }
      return this;
    }

    /** Makes sure that all records and enums a sealed type permits are registered. */
    public Builder requireAllOf(Class<?> sealedType) {
      sealed.add(Objects.requireNonNull(sealedType));
      return this;
    }

    /** The most bytes a payload may have, written or read. */
    public Builder maxBytes(int bytes) {
      bounds = new Bounds(bytes, bounds.maxDepth(), bounds.maxValues());
      return this;
    }

    /** How deep values may be within each other, 1 to 100. */
    public Builder maxDepth(int levels) {
      bounds = new Bounds(bounds.maxBytes(), levels, bounds.maxValues());
      return this;
    }

    /** How many values one payload may hold, all levels together. */
    public Builder maxValues(int values) {
      bounds = new Bounds(bounds.maxBytes(), bounds.maxDepth(), values);
      return this;
    }

    /**
     * The converter.
     *
     * @throws IllegalArgumentException when a type is neither record nor enum, has a component that
     *     is not kept, is registered twice or cannot be reached; when a sealed type is incomplete
     */
    public CborPayloadConverter build() {
      return new CborPayloadConverter(new TypeRegistry(types, sealed), bounds);
    }
  }

  @Override
  public Payload toPayload(@Nullable Object value) {
    Trail trail = new Trail(bounds);
    BoundedOutput output = new BoundedOutput(bounds.maxBytes());
    JsonGenerator generator = factory.createGenerator(ObjectWriteContext.empty(), output);
    try {
      new ValueWriter((CBORGenerator) generator, types, trail).write(value);
      generator.close();
    } catch (JacksonException e) {
      // Its message may quote content.
      throw new InvalidInput(trail + ": it changed while it was written");
    }
    return new Payload(CONTENT_TYPE, Bytes.wrap(output.toByteArray()));
  }

  @Override
  public @Nullable Object toValue(Payload payload) {
    if (!payload.contentType().equals(CONTENT_TYPE)) {
      throw new InvalidInput("a payload of " + payload.contentType() + " is not " + CONTENT_TYPE);
    }
    byte[] content = payload.content().unsafeArray();
    if (content.length > bounds.maxBytes()) {
      throw new InvalidInput(
          "value: its %d bytes are more than the %d taken here"
              .formatted(content.length, bounds.maxBytes()));
    }
    Trail trail = new Trail(bounds);
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), content)) {
      return new ValueReader((CBORParser) parser, content, types, trail).readAll();
    } catch (JacksonException e) {
      // Its message may quote content.
      throw new Corrupt(trail + ": the bytes are not well-formed CBOR", null);
    }
  }

  @Override
  public <T> T toValue(Payload payload, Class<T> type) {
    Object value = toValue(payload);
    DeclaredType asked = asked(type);
    Object fit = value == null ? null : asked.fit(value).map(DeclaredType.Fit::value).orElse(null);
    if (fit == null) {
      throw new InvalidInput(
          "value: there is %s where %s was asked for"
              .formatted(value == null ? "null" : value.getClass().getName(), asked.name()));
    }
    @SuppressWarnings("unchecked") // A fit is of the type, or of its wrapper when it is primitive.
    T typed = (T) fit;
    return typed;
  }

  private static DeclaredType asked(Class<?> type) {
    try {
      return DeclaredType.of(type);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput("value: no value is given as a " + type.getName());
    }
  }
}
