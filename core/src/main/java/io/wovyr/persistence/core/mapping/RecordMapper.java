/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.mapping;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Unreadable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Maps a Java record to the {@link Row} the storage SPI carries, and back. Derived once from the
 * record's components and its {@link RecordType}: a component has the name of its attribute, the
 * component {@code header} is the {@link RecordHeader}, and a key attribute {@code id} or {@code
 * executionId} without a component is the header's id. Thread-safe; reading and writing go through
 * method handles, never through reflection.
 *
 * <p>What a newer node wrote and this one does not know travels in {@link RecordHeader#extra()},
 * which is carried over as it is.
 */
public final class RecordMapper<T> {
  /**
   * Newest payload and envelope encoding known here, for {@link
   * RecordHeader#serializationVersion()}.
   */
  public static final int SERIALIZATION_VERSION = 1;

  private static final String HEADER = "header";
  private static final Set<String> NAMES_OF_HEADER_ID = Set.of("id", "executionId");

  private final Class<T> recordClass;
  private final RecordType type;
  private final List<Upcaster> upcasters;
  private final MethodHandle constructor;
  private final MethodHandle header;
  private final int headerPosition;
  private final List<Slot> keySlots;
  private final List<Slot> valueSlots;

  private RecordMapper(Class<T> recordClass, RecordType type, List<Upcaster> upcasters) {
    this.recordClass = recordClass;
    this.type = type;
    this.upcasters = List.copyOf(upcasters);
    if (upcasters.size() != type.entityVersion() - 1) {
      throw new IllegalArgumentException(
          "%s is at entity version %d and needs %d upcasters, not %d"
              .formatted(type, type.entityVersion(), type.entityVersion() - 1, upcasters.size()));
    }
    RecordComponent[] components = recordClass.getRecordComponents();
    constructor = constructorOf(recordClass, components);
    headerPosition = positionOf(components, HEADER);
    if (headerPosition < 0) {
      throw new IllegalArgumentException(recordClass.getName() + " has no header");
    }
    header = accessorOf(components[headerPosition]);
    keySlots = type.key().stream().map(attribute -> keySlot(attribute, components)).toList();
    valueSlots = type.attributes().stream().map(attribute -> slot(attribute, components)).toList();
    checkComplete(components);
  }

  /**
   * The mapper between a record class and its type, which is at entity version 1.
   *
   * @throws IllegalArgumentException when the two do not fit: a mistake of the program
   */
  public static <T> RecordMapper<T> of(Class<T> recordClass, RecordType type) {
    return new RecordMapper<>(recordClass, type, List.of());
  }

  /**
   * The mapper between a record class and its type, with what leads older rows to its present
   * shape.
   *
   * @param upcasters the first leads from entity version 1 to 2, the last to the type's
   * @throws IllegalArgumentException when class and type do not fit, or an upcaster is missing
   */
  public static <T> RecordMapper<T> of(
      Class<T> recordClass, RecordType type, List<Upcaster> upcasters) {
    return new RecordMapper<>(recordClass, type, upcasters);
  }

  /** The type of the rows. */
  public RecordType type() {
    return type;
  }

  /** The class of the records. */
  public Class<T> recordClass() {
    return recordClass;
  }

  /** The key of a record within its tenant. */
  public Key key(T record) {
    Object[] values = new Object[keySlots.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = java.util.Objects.requireNonNull(keySlots.get(i).read(record));
    }
    return new Key(type, List.of(values));
  }

  /** The header of a record. */
  public RecordHeader header(T record) {
    return (RecordHeader) invoke(header, record);
  }

  /**
   * The row of a record, with the record's own header.
   *
   * @throws PersistenceException.InvalidInput when a text is too long or has a NUL, another control
   *     character or half a surrogate pair; names type and attribute, never the value
   */
  public Row toRow(T record) {
    List<@Nullable Object> values = new ArrayList<>(valueSlots.size());
    for (Slot slot : valueSlots) {
      values.add(slot.read(record));
    }
    return new Row(key(record), header(record), values);
  }

  /**
   * The record of a row, led to the present shape when an older node wrote it.
   *
   * @throws UnsupportedVersion when a newer node wrote the row, or a value this one does not know;
   *     the row stays as it is
   * @throws Corrupt when stored bytes are not what their attribute holds
   */
  public T fromRow(Row row) {
    if (row.type() != type) {
      throw new IllegalArgumentException(row + " is not of type " + type);
    }
    Row current = upcast(row);
    Object[] arguments = new Object[keySlots.size() + valueSlots.size() + 1];
    arguments[headerPosition] = current.header();
    int used = 1;
    List<Object> keyValues = current.key().values();
    for (int i = 0; i < keyValues.size(); i++) {
      used += keySlots.get(i).write(keyValues.get(i), current, arguments);
    }
    List<@Nullable Object> values = current.values();
    for (int i = 0; i < values.size(); i++) {
      used += valueSlots.get(i).write(values.get(i), current, arguments);
    }
    return construct(row, used == arguments.length ? arguments : Arrays.copyOf(arguments, used));
  }

  /**
   * Refuses what a newer node wrote and what is damaged, before anything is read from it or written
   * over it.
   *
   * @throws UnsupportedVersion naming the record and the versions; the record is left as it is
   * @throws Corrupt naming the record and the attribute that cannot be read, never what it holds
   */
  public static void checkReadable(Row row) {
    RecordHeader stored = row.header();
    if (stored.serializationVersion() > SERIALIZATION_VERSION
        || stored.entityVersion() > row.type().entityVersion()) {
      throw new UnsupportedVersion(
          "%s was written by a newer version: entity version %d (known here: %d), serialization version %d (known here: %d)"
              .formatted(
                  row.key(),
                  stored.entityVersion(),
                  row.type().entityVersion(),
                  stored.serializationVersion(),
                  SERIALIZATION_VERSION));
    }
    checkTime(row, "createdAt", stored.createdAt());
    checkTime(row, "updatedAt", stored.updatedAt());
    List<@Nullable Object> values = row.values();
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      if (value instanceof Unreadable unreadable) {
        throw new Corrupt(
            row.key() + "." + unreadable.attribute() + " cannot be read: " + unreadable.problem(),
            null);
      }
      if (value instanceof Instant instant) {
        checkTime(row, row.type().attributes().get(i).name(), instant);
      }
    }
  }

  private static void checkTime(Row row, String attribute, Instant time) {
    if (time.isBefore(Inputs.FIRST_KEPT) || !time.isBefore(Inputs.END_OF_CALENDAR)) {
      throw new Corrupt(
          row.key() + "." + attribute + " cannot be read: it is not in the years 1 to 9999", null);
    }
  }

  private Row upcast(Row row) {
    checkReadable(row);
    RecordHeader stored = row.header();
    if (stored.entityVersion() < 1) {
      throw new Corrupt(row.key() + " has entity version " + stored.entityVersion(), null);
    }
    Row current = row;
    for (int version = stored.entityVersion(); version < type.entityVersion(); version++) {
      current = upcasters.get(version - 1).upcast(current);
    }
    return stored.entityVersion() == type.entityVersion()
        ? row
        : current.with(atVersion(stored, type.entityVersion()));
  }

  private static RecordHeader atVersion(RecordHeader header, int entityVersion) {
    return new RecordHeader(
        header.id(),
        header.tenantId(),
        header.version(),
        header.createdAt(),
        header.updatedAt(),
        header.updatedBy(),
        header.schemaVersion(),
        entityVersion,
        header.serializationVersion(),
        header.extra());
  }

  @SuppressWarnings("unchecked") // The handle's return type is T's own constructor, erased.
  private T construct(Row row, Object[] arguments) {
    try {
      return (T) (Object) constructor.invokeExact(arguments);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new Corrupt(row.key() + " holds values its record refuses", e);
    }
  }

  /** The value of a component; accessors of records only read. */
  static Object invoke(MethodHandle accessor, Object record) {
    try {
      return (Object) accessor.invokeExact(record);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("an accessor threw a checked exception", e);
    }
  }

  private Slot keySlot(Attribute attribute, RecordComponent[] components) {
    boolean isHeaderId =
        NAMES_OF_HEADER_ID.contains(attribute.name())
            && positionOf(components, attribute.name()) < 0;
    return isHeaderId ? new HeaderId(header) : slot(attribute, components);
  }

  private Slot slot(Attribute attribute, RecordComponent[] components) {
    String where = type.name() + "." + attribute.name();
    int position = positionOf(components, attribute.name());
    if (position < 0) {
      throw new IllegalArgumentException(where + " has no component in " + recordClass.getName());
    }
    RecordComponent component = components[position];
    Type declared = component.getGenericType();
    boolean optional =
        declared instanceof ParameterizedType generic && generic.getRawType() == Optional.class;
    if (optional && !attribute.nullable()) {
      throw new IllegalArgumentException(where + " must not be null, its component may be empty");
    }
    Type value = optional ? ((ParameterizedType) declared).getActualTypeArguments()[0] : declared;
    return new Component(
        attribute.name(),
        position,
        optional,
        accessorOf(component),
        Conversion.between(where, value, attribute));
  }

  private void checkComplete(RecordComponent[] components) {
    Set<String> known = new HashSet<>(Set.of(HEADER));
    type.key().forEach(attribute -> known.add(attribute.name()));
    type.attributes().forEach(attribute -> known.add(attribute.name()));
    for (RecordComponent component : components) {
      if (!known.contains(component.getName())) {
        throw new IllegalArgumentException(
            recordClass.getName() + "." + component.getName() + " is no attribute of " + type);
      }
    }
  }

  private static int positionOf(RecordComponent[] components, String name) {
    for (int i = 0; i < components.length; i++) {
      if (components[i].getName().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private static MethodHandle constructorOf(Class<?> recordClass, RecordComponent[] components) {
    Class<?>[] parameters =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return MethodHandles.lookup()
          .findConstructor(recordClass, MethodType.methodType(void.class, parameters))
          .asSpreader(Object[].class, parameters.length)
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(recordClass.getName() + " cannot be made from here", e);
    }
  }

  private static MethodHandle accessorOf(RecordComponent component) {
    try {
      return MethodHandles.lookup()
          .unreflect(component.getAccessor())
          .asType(MethodType.methodType(Object.class, Object.class));
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException(component + " cannot be read from here", e);
    }
  }

  /** Where one attribute's value lives in the record. */
  private interface Slot {
    /** What the row holds for it, null where the record has nothing. */
    @Nullable Object read(Object record);

    /** Puts it among the constructor's arguments; answers how many it filled. */
    int write(@Nullable Object stored, Row row, Object[] arguments);
  }

  /** A key attribute that is the header's id. */
  private record HeaderId(MethodHandle header) implements Slot {
    @Override
    public UUID read(Object record) {
      return ((RecordHeader) invoke(header, record)).id();
    }

    @Override
    public int write(@Nullable Object stored, Row row, Object[] arguments) {
      if (!row.header().id().equals(stored)) {
        throw new Corrupt(row.key() + " has another id in its header", null);
      }
      return 0;
    }
  }

  /** An attribute with a component of its own. */
  private record Component(
      String name, int position, boolean optional, MethodHandle accessor, Conversion conversion)
      implements Slot {
    @Override
    public @Nullable Object read(Object record) {
      Object value = invoke(accessor, record);
      if (optional) {
        Optional<?> wrapped = (Optional<?>) value;
        return wrapped.isPresent() ? conversion.toStored(wrapped.get()) : null;
      }
      return conversion.toStored(value);
    }

    @Override
    public int write(@Nullable Object stored, Row row, Object[] arguments) {
      if (stored == null && !optional) {
        throw new Corrupt(row.key() + " has no " + name, null);
      }
      Object value = stored == null ? null : converted(stored, row);
      arguments[position] = optional ? Optional.ofNullable(value) : value;
      return 1;
    }

    private Object converted(Object stored, Row row) {
      try {
        return conversion.fromStored(stored);
      } catch (UnsupportedVersion e) {
        throw new UnsupportedVersion(row.key() + ": " + e.getMessage());
      } catch (Corrupt e) {
        throw new Corrupt(row.key() + "." + name + ": " + e.getMessage(), e);
      } catch (ClassCastException e) {
        throw new IllegalArgumentException(
            row.key() + "." + name + " is symbolic and has no value yet", e);
      }
    }
  }
}
