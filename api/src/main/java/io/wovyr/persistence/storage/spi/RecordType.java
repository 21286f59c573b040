/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.storage.spi.AccessPath.Freshness;
import io.wovyr.persistence.storage.spi.AccessPath.Reach;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Describes a record once: its key, its attributes, what is unique, how it is found. SQL, entity
 * checks, key-value bytes and the mapping to Java records are all made from it. Immutable; compared
 * by identity, made once in {@link RecordTypes}.
 *
 * @since 0.1
 */
public final class RecordType {
  /** What may happen to a record of a type after its insert. */
  public enum Mutability {
    MUTABLE,
    APPEND_ONLY
  }

  /** Who may ever remove a record of a type. */
  public enum Removal {
    /** Nobody: neither a batch nor a purge. */
    NEVER,
    /** {@link Storage#purge} alone; append-only types only. */
    BY_PURGE,
    /** Any batch, by {@link Mutation.Delete}; mutable types only. */
    BY_BATCH
  }

  /** What of a type appears in the feed. */
  public enum FeedRole {
    /** Nothing. */
    NONE,
    /** Every record itself; append-only types only. */
    RECORDS,
    /** A note of every change: type, key, version. */
    CHANGE_NOTES
  }

  /** Attributes that together occur once per tenant; a null among them makes no entry. */
  public record UniqueKey(String name, List<String> attributes) {
    public UniqueKey {
      attributes = List.copyOf(attributes);
    }
  }

  private final String name;
  private final int number;
  private final int entityVersion;
  private final Mutability mutability;
  private final Removal removal;
  private final FeedRole feedRole;
  private final boolean keepsHistory;
  private final List<Attribute> key;
  private final List<Attribute> attributes;
  private final List<UniqueKey> uniqueKeys;
  private final List<AccessPath> paths;
  private final Map<String, Integer> positions = new LinkedHashMap<>();

  private RecordType(Builder builder) {
    name = builder.name;
    number = builder.number;
    entityVersion = builder.entityVersion;
    mutability = builder.mutability;
    removal = builder.removal;
    feedRole = builder.feedRole;
    keepsHistory = builder.keepsHistory;
    key = List.copyOf(builder.key);
    attributes = List.copyOf(builder.attributes);
    uniqueKeys = List.copyOf(builder.uniqueKeys);
    paths = List.copyOf(builder.paths);
    for (int i = 0; i < key.size(); i++) {
      positions.put(key.get(i).name(), -1 - i);
    }
    for (int i = 0; i < attributes.size(); i++) {
      if (positions.put(attributes.get(i).name(), i) != null) {
        throw new IllegalArgumentException(name + "." + attributes.get(i).name() + " twice");
      }
    }
    uniqueKeys.forEach(unique -> unique.attributes().forEach(this::indexable));
    paths.forEach(path -> path.equality().forEach(this::indexable));
    paths.forEach(path -> path.ordered().forEach(this::indexable));
    if (feedRole == FeedRole.RECORDS && mutability != Mutability.APPEND_ONLY) {
      throw new IllegalArgumentException(name + ": only append-only records are in the feed");
    }
    Removal fitting = mutability == Mutability.APPEND_ONLY ? Removal.BY_PURGE : Removal.BY_BATCH;
    if (removal != Removal.NEVER && removal != fitting) {
      throw new IllegalArgumentException(
          name + ": " + mutability + " records are not removed " + removal);
    }
  }

  private void indexable(String attribute) {
    Attribute found = attribute(attribute);
    if (found.sensitive() || found.kind() == Kind.PAYLOAD) {
      throw new IllegalArgumentException(name + "." + attribute + " cannot be indexed");
    }
  }

  /** Name in tables, settings and messages: lower case, words joined by {@code _}. */
  public String name() {
    return name;
  }

  /** Number in binary formats, 1 to 32,767; never used again for another type. */
  public int number() {
    return number;
  }

  /** Version of this shape, written into every record. */
  public int entityVersion() {
    return entityVersion;
  }

  /** Whether records change. */
  public Mutability mutability() {
    return mutability;
  }

  /** Who may ever remove records; a store's own rights allow no more. */
  public Removal removal() {
    return removal;
  }

  /** Whether records appear in the feed. */
  public FeedRole feedRole() {
    return feedRole;
  }

  /**
   * Whether every version of a record is kept in the history of stores that have one: what an older
   * version refers to is kept with it.
   */
  public boolean keepsHistory() {
    return keepsHistory;
  }

  /** The key's attributes in order; the tenant is never among them, it comes from the scope. */
  public List<Attribute> key() {
    return key;
  }

  /** All other attributes, in the order of {@link Row#values()}. */
  public List<Attribute> attributes() {
    return attributes;
  }

  /** What is unique beside the key. */
  public List<UniqueKey> uniqueKeys() {
    return uniqueKeys;
  }

  /** How records are found beside the key. */
  public List<AccessPath> paths() {
    return paths;
  }

  /** The path of this name. */
  public AccessPath path(String pathName) {
    return paths.stream()
        .filter(path -> path.name().equals(pathName))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name + " has no path " + pathName));
  }

  /** The attribute of this name, of the key or not. */
  public Attribute attribute(String attributeName) {
    int position = position(attributeName);
    return position < 0 ? key.get(-1 - position) : attributes.get(position);
  }

  /** True if there is an attribute of this name, of the key or not. */
  public boolean has(String attributeName) {
    return positions.containsKey(attributeName);
  }

  /** Position in {@link Row#values()}; for a key attribute {@code -1 - position} in the key. */
  public int position(String attributeName) {
    Integer position = positions.get(attributeName);
    if (position == null) {
      throw new IllegalArgumentException(name + " has no attribute " + attributeName);
    }
    return position;
  }

  /**
   * The index entries a row has: one per unique key and path, none where an attribute is null, one
   * per distinct element of a list attribute. Symbolic instants count as they are.
   */
  public List<IndexEntry> entries(Row row) {
    List<IndexEntry> entries = new ArrayList<>();
    for (UniqueKey unique : uniqueKeys) {
      addEntries(entries, unique.name(), true, unique.attributes(), row);
    }
    for (AccessPath path : paths) {
      List<String> all = new ArrayList<>(path.equality());
      all.addAll(path.ordered());
      addEntries(entries, path.name(), false, all, row);
    }
    return entries;
  }

  private void addEntries(
      List<IndexEntry> entries, String index, boolean unique, List<String> names, Row row) {
    List<List<Object>> found = new ArrayList<>();
    found.add(new ArrayList<>());
    for (String attribute : names) {
      Object value = row.get(attribute);
      if (value == null) {
        return;
      }
      if (value instanceof List<?> elements) {
        List<List<Object>> more = new ArrayList<>();
        for (Object element : new LinkedHashSet<Object>(elements)) {
          for (List<Object> prefix : found) {
            List<Object> longer = new ArrayList<>(prefix);
            longer.add(element);
            more.add(longer);
          }
        }
        found = more;
      } else {
        found.forEach(prefix -> prefix.add(value));
      }
    }
    found.forEach(values -> entries.add(new IndexEntry(index, unique, values)));
  }

  /** An entry in the index of a unique key or path. */
  public record IndexEntry(String index, boolean unique, List<Object> values) {
    public IndexEntry {
      values = List.copyOf(values);
    }
  }

  @Override
  public String toString() {
    return name;
  }

  /** Begins a description. */
  public static Builder named(String name, int number) {
    return new Builder(name, number);
  }

  /** See {@link #named}. Not thread-safe. */
  public static final class Builder {
    private final String name;
    private final int number;
    private int entityVersion = 1;
    private Mutability mutability = Mutability.MUTABLE;
    private Removal removal = Removal.NEVER;
    private FeedRole feedRole = FeedRole.NONE;
    private boolean keepsHistory;
    private final List<Attribute> key = new ArrayList<>();
    private final List<Attribute> attributes = new ArrayList<>();
    private final List<UniqueKey> uniqueKeys = new ArrayList<>();
    private final List<AccessPath> paths = new ArrayList<>();

    private Builder(String name, int number) {
      this.name = name;
      this.number = number;
    }

    /** Records never change. */
    public Builder appendOnly() {
      mutability = Mutability.APPEND_ONLY;
      return this;
    }

    /** Records may be removed in this way; where nothing is said they are kept for ever. */
    public Builder removed(Removal how) {
      removal = how;
      return this;
    }

    /** Appears in the feed. */
    public Builder feed(FeedRole role) {
      feedRole = role;
      return this;
    }

    /** Every version is kept in the history of stores that have one. */
    public Builder withHistory() {
      keepsHistory = true;
      return this;
    }

    /** The version of this shape. */
    public Builder entityVersion(int version) {
      entityVersion = version;
      return this;
    }

    /** Adds a key attribute that is not text. */
    public Builder key(String attribute, Kind kind) {
      key.add(new Attribute(attribute, kind, false, false, 0));
      return this;
    }

    /** Adds a key attribute that is text. */
    public Builder keyText(String attribute, int maxLength) {
      key.add(new Attribute(attribute, Kind.TEXT, false, false, maxLength));
      return this;
    }

    /** Adds an attribute that is always there. */
    public Builder required(String attribute, Kind kind) {
      attributes.add(new Attribute(attribute, kind, false, false, 0));
      return this;
    }

    /** Adds an attribute that may be null. */
    public Builder optional(String attribute, Kind kind) {
      attributes.add(new Attribute(attribute, kind, true, false, 0));
      return this;
    }

    /** Adds a text that is always there. */
    public Builder requiredText(String attribute, int maxLength) {
      attributes.add(new Attribute(attribute, Kind.TEXT, false, false, maxLength));
      return this;
    }

    /** Adds a text that may be null. */
    public Builder optionalText(String attribute, int maxLength) {
      attributes.add(new Attribute(attribute, Kind.TEXT, true, false, maxLength));
      return this;
    }

    /** Adds a list of texts, empty when there are none. */
    public Builder textList(String attribute, int maxLength) {
      attributes.add(new Attribute(attribute, Kind.TEXT_LIST, false, false, maxLength));
      return this;
    }

    /** Adds a payload that may be null, sealed before it is stored. */
    public Builder payload(String attribute) {
      attributes.add(new Attribute(attribute, Kind.PAYLOAD, true, true, 0));
      return this;
    }

    /** These attributes together are unique within a tenant. */
    public Builder unique(String keyName, String... attributeNames) {
      uniqueKeys.add(new UniqueKey(keyName, List.of(attributeNames)));
      return this;
    }

    /** A path inside a tenant. */
    public Builder path(String pathName, List<String> equality, List<String> ordered) {
      paths.add(new AccessPath(pathName, Reach.TENANT, equality, ordered, Freshness.STRONG));
      return this;
    }

    /** A path over all tenants that yields keys, as a hint. */
    public Builder systemPath(String pathName, List<String> equality, List<String> ordered) {
      paths.add(new AccessPath(pathName, Reach.SYSTEM, equality, ordered, Freshness.EVENTUAL));
      return this;
    }

    /** The description. */
    public RecordType build() {
      return new RecordType(this);
    }
  }

  /** The value of this attribute in a row's parts; for {@link Row#get}. */
  @Nullable Object valueIn(Key rowKey, List<@Nullable Object> values, String attributeName) {
    int position = position(attributeName);
    return position < 0 ? rowKey.values().get(-1 - position) : values.get(position);
  }

  /** The unique key of this name. */
  public Optional<UniqueKey> uniqueKey(String keyName) {
    return uniqueKeys.stream().filter(unique -> unique.name().equals(keyName)).findFirst();
  }
}
