/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.FeedRole;
import io.wovyr.persistence.storage.spi.RecordType.UniqueKey;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Unreadable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table of a record type and its statements, all generated from the {@link RecordType}: columns
 * are the tenant, the key, the header and the attributes, in this order. Thread-safe.
 */
public final class RecordTable {
  /** The provider's own column of types in the feed. */
  public static final String FEED_KEY = "feed_key";

  private static final List<Column> HEADER =
      List.of(
          new Column("record_id", Kind.UUID, false),
          new Column("version", Kind.LONG, false),
          new Column("created_at", Kind.INSTANT, false),
          new Column("updated_at", Kind.INSTANT, false),
          new Column("updated_by", Kind.TEXT, false),
          new Column("schema_version", Kind.INT, false),
          new Column("entity_version", Kind.INT, false),
          new Column("serialization_version", Kind.INT, false),
          new Column("extra", Kind.BYTES, true));

  private static final UUID NO_ID = new UUID(0, 0);

  /** A column. */
  public record Column(String name, Kind kind, boolean nullable) {}

  private final RecordType type;
  private final SqlValues values;
  private final List<Column> key;
  private final List<Column> attributes;
  private final List<String> indexed;
  private final String selectList;
  private final String selectByKey;
  private final String selectVersion;
  private final String insert;
  private final String delete;
  private final ConcurrentMap<Integer, String> updates = new ConcurrentHashMap<>();
  private final ConcurrentMap<ScanQuery.Shape, String> scans = new ConcurrentHashMap<>();

  public RecordTable(RecordType type, SqlValues values) {
    this.type = type;
    this.values = values;
    key = type.key().stream().map(RecordTable::column).toList();
    attributes = type.attributes().stream().map(RecordTable::column).toList();
    indexed = List.copyOf(indexed(type));
    selectList = names(Stream.of(key, HEADER, attributes));
    selectByKey = "SELECT " + selectList + from() + whereKey();
    selectVersion = "SELECT version" + from() + whereKey();
    insert = insertText();
    delete = "DELETE" + from() + whereKey() + " AND version = ?";
  }

  private static Column column(Attribute attribute) {
    return new Column(columnName(attribute.name()), attribute.kind(), attribute.nullable());
  }

  /** The column of an attribute: {@code leaseExpiresAt} is {@code lease_expires_at}. */
  public static String columnName(String attribute) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < attribute.length(); i++) {
      char c = attribute.charAt(i);
      if (Character.isUpperCase(c)) {
        name.append('_');
      }
      name.append(Character.toLowerCase(c));
    }
    return name.toString();
  }

  private static Set<String> indexed(RecordType type) {
    Set<String> names = new TreeSet<>();
    type.uniqueKeys().forEach(unique -> names.addAll(unique.attributes()));
    type.paths().forEach(path -> names.addAll(path.equality()));
    type.paths().forEach(path -> names.addAll(path.ordered()));
    type.key().forEach(attribute -> names.remove(attribute.name()));
    return names;
  }

  private static String names(Stream<List<Column>> columns) {
    return columns.flatMap(List::stream).map(Column::name).collect(Collectors.joining(", "));
  }

  private String from() {
    return " FROM " + name();
  }

  private String whereKey() {
    return " WHERE tenant_id = ?"
        + key.stream()
            .map(column -> " AND " + column.name() + " = ?")
            .collect(Collectors.joining());
  }

  private String insertText() {
    String first = inFeed() ? FEED_KEY + ", tenant_id, " : "tenant_id, ";
    int count = (inFeed() ? 2 : 1) + key.size() + HEADER.size() + attributes.size();
    return "INSERT INTO "
        + name()
        + " ("
        + first
        + selectList
        + ") VALUES ("
        + String.join(", ", java.util.Collections.nCopies(count, "?"))
        + ")";
  }

  /** The type. */
  public RecordType type() {
    return type;
  }

  /** Name of the table. */
  public String name() {
    return type.name();
  }

  /** True if its rows carry a feed key. */
  public boolean inFeed() {
    return type.feedRole() != FeedRole.NONE;
  }

  /** All columns but the tenant and the feed key, in the order of the select list. */
  public List<Column> columns() {
    return Stream.of(key, HEADER, attributes).flatMap(List::stream).toList();
  }

  /** The path whose entries, one per element of a list, have a table of their own. */
  boolean hasEntryTable(AccessPath path) {
    return path.equality().stream().anyMatch(name -> columnOf(name).kind() == Kind.TEXT_LIST);
  }

  /** The table, or the index, of a path. */
  String entries(AccessPath path) {
    return name() + "_" + path.name();
  }

  /** The tables of entries that triggers keep beside this one. */
  public List<String> entryTables() {
    return type.paths().stream().filter(this::hasEntryTable).map(this::entries).toList();
  }

  /** The columns that {@link #read} reads. */
  public String selectList() {
    return selectList;
  }

  /** Parameters: tenant, key. */
  public String selectByKey() {
    return selectByKey;
  }

  /** Parameters: tenant, key. */
  public String selectVersion() {
    return selectVersion;
  }

  /** Parameters: feed key where there is one, tenant, {@link #bindAll}. */
  public String insert() {
    return insert;
  }

  /** Parameters: tenant, key, version. */
  public String delete() {
    return delete;
  }

  /** Select list, condition on tenant and unique attributes; parameters: tenant, attributes. */
  public String whereUnique(UniqueKey unique) {
    return from()
        + " WHERE tenant_id = ?"
        + unique.attributes().stream()
            .map(attribute -> " AND " + columnName(attribute) + " = ?")
            .collect(Collectors.joining());
  }

  /** The values of a unique key as parameters. */
  public List<SqlQuery.Parameter> uniqueParameters(UniqueKey unique, List<Object> wanted) {
    if (unique.attributes().size() != wanted.size()) {
      throw new IllegalArgumentException(
          name() + "." + unique.name() + " has " + unique.attributes().size() + " attributes");
    }
    List<SqlQuery.Parameter> parameters = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      Kind kind = columnOf(unique.attributes().get(i)).kind();
      parameters.add(new SqlQuery.Parameter(kind, wanted.get(i)));
    }
    return parameters;
  }

  /** The text of a scan, made once per shape. */
  String scan(ScanQuery.Shape shape) {
    return scans.computeIfAbsent(shape, wanted -> wanted.text(this));
  }

  /** The columns of the key, without the tenant. */
  public List<Column> keyColumns() {
    return key;
  }

  /** The columns of the header, in the order of {@link #columns()}. */
  public static List<Column> headerColumns() {
    return HEADER;
  }

  /** The column of an attribute, of the key or not. */
  public Column columnOf(String attribute) {
    int position = type.position(attribute);
    return position < 0 ? key.get(-1 - position) : attributes.get(position);
  }

  /** Attributes a row of this path must have. */
  List<String> required(AccessPath path) {
    return Stream.concat(path.equality().stream(), path.ordered().stream())
        .filter(attribute -> columnOf(attribute).nullable())
        .toList();
  }

  /**
   * The update that writes {@code after}: all columns but the key, indexed ones only if they
   * change, since writing one costs its index even when it stays the same. The version of {@code
   * before} vouches for what is left out.
   */
  public String update(Row before, Row after) {
    return updates.computeIfAbsent(changedIndexes(before, after), this::updateText);
  }

  /** Which indexed attributes an update changes: a set of bits, the same for the same text. */
  public int changedIndexes(Row before, Row after) {
    int changed = 0;
    for (int i = 0; i < indexed.size(); i++) {
      int position = type.position(indexed.get(i));
      if (!Objects.equals(before.values().get(position), after.values().get(position))) {
        changed |= 1 << i;
      }
    }
    return changed;
  }

  /** Whether an update that changes these indexes writes the attribute at a position. */
  public boolean written(int position, int changed) {
    int index = indexed.indexOf(type.attributes().get(position).name());
    return index < 0 || (changed & (1 << index)) != 0;
  }

  /** Bits of the header's columns begin here; no type has so many attributes. */
  private static final int HEADER_BITS = 54;

  /** Version and time of the change: written by every update. */
  private static final long ALWAYS = 1L << (HEADER_BITS + 1) | 1L << (HEADER_BITS + 3);

  /**
   * The shape of a row: written by every update of a type that ever changed its own. What was read
   * of an older row was led on before anybody saw it, so {@code before} does not tell.
   */
  private static final long SHAPE = 1L << (HEADER_BITS + 6);

  /**
   * Which columns an update changes: a set of bits. The version of {@code before} vouches for what
   * is left out.
   */
  public long changes(Row before, Row after) {
    long changes = type.entityVersion() > 1 ? ALWAYS | SHAPE : ALWAYS;
    for (int i = 0; i < HEADER.size(); i++) {
      if (!Objects.equals(header(before.header(), i), header(after.header(), i))) {
        changes |= 1L << (HEADER_BITS + i);
      }
    }
    for (int i = 0; i < attributes.size(); i++) {
      if (!Objects.equals(before.values().get(i), after.values().get(i))) {
        changes |= 1L << i;
      }
    }
    return changes;
  }

  /** Whether {@link #changes} has the header's column at a position of {@link #headerColumns}. */
  public static boolean headerChanges(long changes, int position) {
    return (changes & (1L << (HEADER_BITS + position))) != 0;
  }

  /** Whether {@link #changes} has the attribute at a position. */
  public static boolean attributeChanges(long changes, int position) {
    return (changes & (1L << position)) != 0;
  }

  private static @Nullable Object header(RecordHeader header, int position) {
    return switch (position) {
      case 0 -> header.id();
      case 1 -> header.version();
      case 2 -> header.createdAt();
      case 3 -> header.updatedAt();
      case 4 -> header.updatedBy();
      case 5 -> header.schemaVersion();
      case 6 -> header.entityVersion();
      case 7 -> header.serializationVersion();
      default -> header.extra().size() == 0 ? null : header.extra();
    };
  }

  /** Binds one column of the header; returns the next index. */
  public int bindHeader(PreparedStatement statement, int index, RecordHeader header, int position)
      throws SQLException {
    values.bind(statement, index, HEADER.get(position).kind(), header(header, position));
    return index + 1;
  }

  private String updateText(int changed) {
    StringBuilder text = new StringBuilder("UPDATE ").append(name()).append(" SET ");
    text.append(HEADER.stream().map(c -> c.name() + " = ?").collect(Collectors.joining(", ")));
    for (int i = 0; i < attributes.size(); i++) {
      if (written(i, changed)) {
        text.append(", ").append(attributes.get(i).name()).append(" = ?");
      }
    }
    return text.append(whereKey()).append(" AND version = ?").toString();
  }

  /** Binds what {@link #update} asks for; returns the next index. */
  public int bindUpdate(PreparedStatement statement, int from, Row before, Row after)
      throws SQLException {
    int changed = changedIndexes(before, after);
    int index = bindHeader(statement, from, after.header());
    for (int i = 0; i < attributes.size(); i++) {
      if (written(i, changed)) {
        values.bind(statement, index++, attributes.get(i).kind(), after.values().get(i));
      }
    }
    index = bindKey(statement, index, after.header().tenantId(), after.key());
    statement.setLong(index, before.version());
    return index + 1;
  }

  /** Binds tenant and key; returns the next index. */
  public int bindKey(PreparedStatement statement, int from, String tenantId, Key rowKey)
      throws SQLException {
    statement.setString(from, tenantId);
    return bindKeyValues(statement, from + 1, rowKey);
  }

  private int bindKeyValues(PreparedStatement statement, int from, Key rowKey) throws SQLException {
    int index = from;
    for (int i = 0; i < key.size(); i++) {
      values.bind(statement, index++, key.get(i).kind(), rowKey.values().get(i));
    }
    return index;
  }

  /** Binds tenant and all columns of {@link #selectList}, for {@link #insert}. */
  public void bindAll(PreparedStatement statement, int from, Row row) throws SQLException {
    int index = bindKey(statement, from, row.header().tenantId(), row.key());
    index = bindHeader(statement, index, row.header());
    for (int i = 0; i < attributes.size(); i++) {
      values.bind(statement, index++, attributes.get(i).kind(), row.values().get(i));
    }
  }

  /** Binds the columns of the header; returns the next index. */
  public int bindHeader(PreparedStatement statement, int from, RecordHeader header)
      throws SQLException {
    int index = from;
    values.bind(statement, index++, Kind.UUID, header.id());
    statement.setLong(index++, header.version());
    values.bind(statement, index++, Kind.INSTANT, header.createdAt());
    values.bind(statement, index++, Kind.INSTANT, header.updatedAt());
    statement.setString(index++, header.updatedBy());
    statement.setInt(index++, header.schemaVersion());
    statement.setInt(index++, header.entityVersion());
    statement.setInt(index++, header.serializationVersion());
    Bytes extra = header.extra().size() == 0 ? null : header.extra();
    values.bind(statement, index++, Kind.BYTES, extra);
    return index;
  }

  /**
   * Reads the columns of {@link #selectList}, beginning at {@code from}. What cannot be read is
   * {@link Unreadable} in the row.
   *
   * @throws Corrupt when the key cannot be read
   */
  public Row read(ResultSet result, int from, String tenantId) throws SQLException {
    Key rowKey = readKey(result, from);
    int column = from + key.size();
    List<@Nullable Object> header = new ArrayList<>(HEADER.size());
    Unreadable damaged = null;
    for (Column one : HEADER) {
      Object value = readOrMark(result, column++, one, one.name());
      damaged = value instanceof Unreadable unreadable ? unreadable : damaged;
      header.add(value);
    }
    List<@Nullable Object> row = new ArrayList<>(attributes.size());
    for (int i = 0; i < attributes.size(); i++) {
      Object value =
          readOrMark(result, column++, attributes.get(i), type.attributes().get(i).name());
      row.add(damaged == null ? value : damaged);
    }
    return new Row(rowKey, header(header, tenantId), row);
  }

  /** The value of a column; {@link Unreadable} where it holds anything else. */
  private @Nullable Object readOrMark(ResultSet result, int index, Column column, String attribute)
      throws SQLException {
    try {
      Object value = values.read(result, index, column.kind());
      return value == null && !column.nullable() ? new Unreadable(attribute, "it is null") : value;
    } catch (Corrupt e) {
      return new Unreadable(attribute, String.valueOf(e.getMessage()));
    }
  }

  /** Reads the key's columns, beginning at {@code from}. */
  public Key readKey(ResultSet result, int from) throws SQLException {
    List<Object> keyValues = new ArrayList<>(key.size());
    for (int i = 0; i < key.size(); i++) {
      keyValues.add(required(result, from + i, key.get(i).kind()));
    }
    return new Key(type, keyValues);
  }

  /** With something in the place of what cannot be read: the values tell. */
  private static RecordHeader header(List<@Nullable Object> stored, String tenantId) {
    return new RecordHeader(
        readable(stored, 0, NO_ID),
        tenantId,
        readable(stored, 1, 0L),
        readable(stored, 2, Instant.EPOCH),
        readable(stored, 3, Instant.EPOCH),
        readable(stored, 4, ""),
        readable(stored, 5, 0),
        readable(stored, 6, 0),
        readable(stored, 7, 0),
        readable(stored, 8, Bytes.EMPTY));
  }

  @SuppressWarnings("unchecked") // What was read is of its column's kind.
  private static <T> T readable(List<@Nullable Object> stored, int position, T otherwise) {
    Object value = stored.get(position);
    return value == null || value instanceof Unreadable ? otherwise : (T) value;
  }

  private Object required(ResultSet result, int column, Kind kind) throws SQLException {
    Object value = values.read(result, column, kind);
    if (value == null) {
      throw new Corrupt("column " + column + " of a row of " + name() + " is null", null);
    }
    return value;
  }

  /** How the database keeps values. */
  public SqlValues values() {
    return values;
  }
}
