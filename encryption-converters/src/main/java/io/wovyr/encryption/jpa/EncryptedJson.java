/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.lang.reflect.Type;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A value of any type that Jackson writes as JSON and reads back equal: a record, a list, a map, a
 * tree. Give a type with an {@code equals} by content, else every flush looks like a change. A
 * subclass names the type; nothing that is stored does:
 *
 * <pre>{@code
 * @Converter
 * public class AddressConverter extends EncryptedJson<Address> {
 *   public AddressConverter() {
 *     super(Address.class, "customer.address");
 *   }
 * }
 * }</pre>
 *
 * @param <T> type of the attribute
 * @since 0.1
 */
public abstract class EncryptedJson<T> extends EncryptedColumn<T> {
  /** What is read was sealed here: nobody makes it long but whoever wrote it. */
  private static final StreamReadConstraints ANY_LENGTH =
      StreamReadConstraints.builder()
          .maxNumberLength(Integer.MAX_VALUE)
          .maxNameLength(Integer.MAX_VALUE)
          .maxStringLength(Integer.MAX_VALUE)
          .build();

  private static final JsonMapper EXACT =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(ANY_LENGTH).build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final JsonMapper mapper;
  private final JavaType type;

  /**
   * Of this class, by a mapper that keeps decimals exact and refuses doubled keys.
   *
   * @param column name of the column; empty: values are bound to none
   */
  protected EncryptedJson(Class<T> type, String column) {
    this(EXACT, type, column);
  }

  /**
   * Of this generic type, such as {@code Map<String, Object>}.
   *
   * @param column name of the column; empty: values are bound to none
   */
  protected EncryptedJson(TypeReference<T> type, String column) {
    this(EXACT, type.getType(), column);
  }

  /**
   * By a mapper of your own. One that reads class names out of the data (default typing) lets
   * whoever writes to the column choose classes to load.
   *
   * @param type the type of {@code T}
   * @param column name of the column; empty: values are bound to none
   */
  protected EncryptedJson(JsonMapper mapper, Type type, String column) {
    super("json", column);
    this.mapper = mapper;
    this.type = mapper.constructType(type);
  }

  /** Nothing is stored that could not be read again: Jackson writes more than it reads. */
  @Override
  final byte[] encode(T value) {
    byte[] json = written(value);
    try {
      Object unused = mapper.readValue(json, type);
    } catch (JacksonException e) {
      throw new InvalidInput(
          "a value of type " + type.toCanonical() + " could not be read again: it is not stored");
    }
    return json;
  }

  private byte[] written(T value) {
    try {
      return mapper.writerFor(type).writeValueAsBytes(value);
    } catch (JacksonException e) {
      // Without the cause: its text may show content.
      throw new InvalidInput(
          "a value of type " + type.toCanonical() + " cannot be written as JSON");
    }
  }

  @Override
  final T decode(byte[] plain) {
    try {
      return mapper.readValue(plain, type);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("no JSON of type " + type.toCanonical());
    }
  }
}
