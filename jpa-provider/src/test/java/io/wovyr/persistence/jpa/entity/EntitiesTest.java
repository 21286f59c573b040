/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.FeedRole;
import io.wovyr.persistence.storage.spi.RecordTypes;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.hibernate.annotations.TenantId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds every entity to its record type. */
class EntitiesTest {
  private static final Map<Kind, List<Class<?>>> TYPES =
      Map.of(
          Kind.INT, List.of(int.class, Integer.class),
          Kind.LONG, List.of(long.class, Long.class),
          Kind.BOOLEAN, List.of(boolean.class, Boolean.class),
          Kind.TEXT, List.of(String.class),
          Kind.UUID, List.of(UUID.class),
          Kind.INSTANT, List.of(Instant.class),
          Kind.BYTES, List.of(Bytes.class),
          Kind.PAYLOAD, List.of(StoredPayload.class),
          Kind.TEXT_LIST, List.of(List.class));

  private static final Map<Kind, Class<? extends AttributeConverter<?, ?>>> CONVERTERS =
      Map.of(
          Kind.INSTANT, InstantMicrosConverter.class,
          Kind.BYTES, BytesConverter.class,
          Kind.PAYLOAD, StoredPayloadConverter.class,
          Kind.TEXT_LIST, TextListConverter.class);

  static List<RecordType> types() {
    return RecordTypes.all();
  }

  @ParameterizedTest
  @MethodSource("types")
  void historyIsKeptOfWhatSaysSo(RecordType type) {
    assertThat(Entities.isAudited(type)).isEqualTo(type.keepsHistory());
  }

  private static String column(String attribute) {
    return attribute.replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT);
  }

  private static void fits(Class<?> entity, Attribute attribute, boolean key) throws Exception {
    Field field = entity.getDeclaredField(attribute.name());
    Column column = field.getAnnotation(Column.class);
    String what = entity.getSimpleName() + "." + attribute.name();
    assertThat(TYPES.get(attribute.kind())).as(what).contains(field.getType());
    assertThat(field.getType().isPrimitive() && attribute.nullable())
        .as(what + " is primitive and nullable")
        .isFalse();
    assertThat(column.name()).as(what).isEqualTo(column(attribute.name()));
    assertThat(column.nullable()).as(what).isEqualTo(attribute.nullable());
    if (attribute.kind() == Kind.TEXT) {
      assertThat(column.length()).as(what).isEqualTo(attribute.maxLength());
    }
    assertThat(field.isAnnotationPresent(Id.class)).as(what).isEqualTo(key);
    assertThat(column.updatable()).as(what).isEqualTo(!key);
    Convert convert = field.getAnnotation(Convert.class);
    assertThat(convert == null ? null : convert.converter())
        .as(what)
        .isEqualTo(CONVERTERS.get(attribute.kind()));
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyAttributeIsMappedAsItsRecordTypeSays(RecordType type) throws Exception {
    Class<?> entity = Entities.of(type).entityClass();
    List<String> expected = new ArrayList<>();
    for (Attribute attribute : type.key()) {
      fits(entity, attribute, true);
      expected.add(attribute.name());
    }
    for (Attribute attribute : type.attributes()) {
      fits(entity, attribute, false);
      expected.add(attribute.name());
    }
    if (type.feedRole() != FeedRole.NONE) {
      expected.add("feedKey");
    }
    assertThat(Arrays.stream(entity.getDeclaredFields()).map(Field::getName))
        .as("and nothing else")
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(entity.getAnnotation(Table.class).name()).isEqualTo(type.name());
  }

  @ParameterizedTest
  @MethodSource("types")
  void theKeyBeginsWithTheTenant(RecordType type) {
    Class<?> entity = Entities.of(type).entityClass();
    Class<?> id = entity.getAnnotation(jakarta.persistence.IdClass.class).value();
    List<String> components =
        Stream.of(id.getRecordComponents()).map(RecordComponent::getName).toList();
    assertThat(components.get(0)).isEqualTo("tenantId");
    assertThat(components.subList(1, components.size()))
        .isEqualTo(type.key().stream().map(Attribute::name).toList());
  }

  @ParameterizedTest
  @MethodSource("types")
  void theHeaderHasVersionAndTenant(RecordType type) throws Exception {
    Class<?> header = Entities.of(type).entityClass().getSuperclass();
    assertThat(header).isEqualTo(RecordEntity.class);
    assertThat(header.getDeclaredField("version").isAnnotationPresent(Version.class)).isTrue();
    Field tenant = header.getDeclaredField("tenantId");
    assertThat(tenant.isAnnotationPresent(TenantId.class)).isTrue();
    assertThat(tenant.isAnnotationPresent(Id.class)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("types")
  void noTypeAsksForWhatHasNoTableYet(RecordType type) {
    assertThat(type.feedRole()).isNotEqualTo(FeedRole.CHANGE_NOTES);
    type.paths()
        .forEach(
            path ->
                assertThat(path.ordered())
                    .as(type + "." + path.name())
                    .noneMatch(name -> type.attribute(name).kind() == Kind.TEXT_LIST));
  }
}
