/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.FeedRole;
import io.wovyr.persistence.storage.spi.RecordType.Mutability;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How records of a type lie in the store, all of it made from their description. Immutable.
 *
 * @param blocked rows that follow each other and are written together are one value; so it is with
 *     append-only types of the feed that are numbered within something
 */
record TypeLayout(
    RecordType type,
    boolean blocked,
    List<Kind> keyKinds,
    Map<String, IndexLayout> uniques,
    Map<String, IndexLayout> paths) {
  private static final Map<RecordType, TypeLayout> ALL = new HashMap<>();
  private static final Map<Integer, RecordType> BY_NUMBER = new HashMap<>();

  static {
    for (RecordType type : RecordTypes.all()) {
      ALL.put(type, make(type));
      BY_NUMBER.put(type.number(), type);
    }
  }

  static TypeLayout of(RecordType type) {
    TypeLayout layout = ALL.get(type);
    return layout != null ? layout : make(type);
  }

  /** The type of this number in a key. */
  static Optional<RecordType> numbered(int number) {
    return Optional.ofNullable(BY_NUMBER.get(number));
  }

  private static TypeLayout make(RecordType type) {
    List<Attribute> key = type.key();
    boolean blocked =
        type.mutability() == Mutability.APPEND_ONLY
            && type.feedRole() == FeedRole.RECORDS
            && key.size() > 1
            && key.get(key.size() - 1).kind() == Kind.LONG;
    Map<String, IndexLayout> uniques = new HashMap<>();
    for (RecordType.UniqueKey unique : type.uniqueKeys()) {
      uniques.put(
          unique.name(),
          new IndexLayout(
              unique.name(), uniques.size(), kinds(type, unique.attributes()), Optional.empty()));
    }
    Map<String, IndexLayout> paths = new HashMap<>();
    for (AccessPath path : type.paths()) {
      List<String> names = new ArrayList<>(path.equality());
      names.addAll(path.ordered());
      paths.put(
          path.name(),
          new IndexLayout(path.name(), paths.size(), kinds(type, names), Optional.of(path)));
    }
    return new TypeLayout(
        type,
        blocked,
        key.stream().map(Attribute::kind).toList(),
        Map.copyOf(uniques),
        Map.copyOf(paths));
  }

  private static List<Kind> kinds(RecordType type, List<String> names) {
    return names.stream()
        .map(name -> type.attribute(name).kind())
        .map(kind -> kind == Kind.TEXT_LIST ? Kind.TEXT : kind)
        .toList();
  }

  IndexLayout unique(String name) {
    IndexLayout found = uniques.get(name);
    if (found == null) {
      throw new IllegalArgumentException(type + " has no unique key " + name);
    }
    return found;
  }

  IndexLayout path(String name) {
    IndexLayout found = paths.get(name);
    if (found == null) {
      throw new IllegalArgumentException(type + " has no path " + name);
    }
    return found;
  }
}
