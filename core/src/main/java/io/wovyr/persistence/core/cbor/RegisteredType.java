/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A type an application registered, and the name it has in data. Immutable. */
sealed interface RegisteredType {
  /** The name in data. */
  String name();

  /** The Java type. */
  Class<?> type();

  /**
   * Describes a record or an enum.
   *
   * @throws IllegalArgumentException when the type is neither, or cannot be reached
   */
  static RegisteredType of(String name, Class<?> type) {
    if (type.isRecord()) {
      return RecordForm.of(name, type);
    }
    if (type.isEnum()) {
      Map<String, Object> constants = new HashMap<>();
      for (Object constant : type.getEnumConstants()) {
        constants.put(((Enum<?>) constant).name(), constant);
      }
      return new EnumForm(name, type, Map.copyOf(constants));
    }
    throw new IllegalArgumentException(type.getName() + " is neither a record nor an enum");
  }

  /** An enum: the name of a constant. */
  record EnumForm(String name, Class<?> type, Map<String, Object> constants)
      implements RegisteredType {}

  /** A component of a record. */
  record Component(String name, int position, DeclaredType declared, Method accessor) {}

  /** A record: all its components by name. */
  record RecordForm(
      String name, Class<?> type, List<Component> components, Constructor<?> constructor)
      implements RegisteredType {
    static RecordForm of(String name, Class<?> type) {
      RecordComponent[] declared = type.getRecordComponents();
      List<Component> components = new ArrayList<>();
      Class<?>[] parameters = new Class<?>[declared.length];
      try {
        for (int i = 0; i < declared.length; i++) {
          Method accessor = declared[i].getAccessor();
          accessor.setAccessible(true);
          parameters[i] = declared[i].getType();
          components.add(new Component(declared[i].getName(), i, typeOf(declared[i]), accessor));
        }
        Constructor<?> constructor = type.getDeclaredConstructor(parameters);
        constructor.setAccessible(true);
        return new RecordForm(name, type, List.copyOf(components), constructor);
      } catch (NoSuchMethodException | InaccessibleObjectException e) {
        throw new IllegalArgumentException(
            type.getName() + " cannot be reached: its module must open its package", e);
      }
    }

    private static DeclaredType typeOf(RecordComponent component) {
      try {
        return DeclaredType.of(component.getGenericType());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            component.getDeclaringRecord().getName()
                + "."
                + component.getName()
                + ": "
                + e.getMessage(),
            e);
      }
    }

    /** The component of this name, null when there is none. */
    @Nullable Component component(String componentName) {
      for (Component component : components) {
        if (component.name().equals(componentName)) {
          return component;
        }
      }
      return null;
    }

    @Nullable Object read(Component component, Object instance) {
      try {
        return component.accessor().invoke(instance);
      } catch (InvocationTargetException e) {
        throw new IllegalStateException(
            type.getName() + "." + component.name() + " threw", e.getCause());
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }

    /**
     * Makes a record.
     *
     * @throws InvocationTargetException when the record refuses the values
     */
    Object create(@Nullable Object[] values) throws InvocationTargetException {
      try {
        return constructor.newInstance(values);
      } catch (InstantiationException | IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
