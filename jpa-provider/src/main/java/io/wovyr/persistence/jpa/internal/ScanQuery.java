/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.jpa.internal.SqlQuery.Parameter;
import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.AccessPath.Reach;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.StoreTime;
import io.wovyr.persistence.storage.spi.Unreadable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Scan} as SQL: keyset paging by row-value comparison over the columns of an index, never
 * an offset. Immutable.
 */
public final class ScanQuery {
  private final RecordTable table;
  private final Scan scan;
  private final Shape shape;
  private final List<RecordTable.Column> order;

  private ScanQuery(RecordTable table, Scan scan, Select select) {
    this.table = table;
    this.scan = scan;
    shape =
        new Shape(
            scan.path().map(AccessPath::name).orElse(null),
            scan.equal().size(),
            scan.after().isPresent() && scan.ascending() ? List.of() : terms(scan.fromInclusive()),
            scan.after().isPresent() && !scan.ascending() ? List.of() : terms(scan.toExclusive()),
            scan.after().isPresent(),
            scan.ascending(),
            select);
    order = shape.order(table);
  }

  /** What a scan selects. */
  public enum Select {
    /** {@link RecordTable#selectList()}. */
    ROWS,
    /** Tenant and key, over all tenants. */
    SCOPED_KEYS
  }

  /** The scan of rows of one tenant. */
  public static ScanQuery ofTenant(RecordTable table, Scan scan, Select select) {
    if (scan.path().isPresent() && scan.path().get().reach() != Reach.TENANT) {
      throw new IllegalArgumentException(
          "path " + scan.path().get().name() + " is over all tenants: use scanSystem");
    }
    return new ScanQuery(table, scan, select);
  }

  /** The scan of keys over all tenants. */
  public static ScanQuery ofSystem(RecordTable table, Scan scan) {
    if (scan.path().isEmpty() || scan.path().get().reach() != Reach.SYSTEM) {
      throw new IllegalArgumentException("a system scan needs a path over all tenants");
    }
    return new ScanQuery(table, scan, Select.SCOPED_KEYS);
  }

  /** Text and parameters; one row more than the limit tells whether there is a next page. */
  public SqlQuery query(String tenantId) {
    List<Parameter> parameters = new ArrayList<>();
    if (shape.select() != Select.SCOPED_KEYS) {
      parameters.add(new Parameter(Kind.TEXT, tenantId));
    }
    addAll(parameters, equalColumns(), scan.equal());
    if (!shape.from().isEmpty()) {
      addAll(parameters, bounds(), scan.fromInclusive().orElseThrow());
    }
    if (!shape.to().isEmpty()) {
      addAll(parameters, bounds(), scan.toExclusive().orElseThrow());
    }
    scan.after()
        .ifPresent(
            token -> addAll(parameters, order, PageToken.decode(token, fingerprint(), order)));
    parameters.add(new Parameter(Kind.LONG, scan.limit() + 1L));
    return new SqlQuery(table.scan(shape), parameters);
  }

  /**
   * Over all tenants only the path's own attributes can be bounded: between them stands the tenant.
   */
  private List<RecordTable.Column> bounds() {
    return shape.select() == Select.SCOPED_KEYS ? order.subList(0, ordered().size()) : order;
  }

  private List<RecordTable.Column> equalColumns() {
    return scan.path()
        .map(path -> path.equality().stream().map(this::elementOf).toList())
        .orElseGet(() -> table.keyColumns().subList(0, scan.equal().size()));
  }

  /** The column of an attribute; of a list, that of its elements. */
  private RecordTable.Column elementOf(String attribute) {
    RecordTable.Column column = table.columnOf(attribute);
    return column.kind() == Kind.TEXT_LIST
        ? new RecordTable.Column(column.name(), Kind.TEXT, false)
        : column;
  }

  private static List<Term> terms(Optional<List<Object>> bound) {
    return bound.orElse(List.of()).stream().map(Term::of).toList();
  }

  private void addAll(
      List<Parameter> parameters, List<RecordTable.Column> columns, List<Object> values) {
    if (values.size() > columns.size()) {
      throw new IllegalArgumentException("a bound has more values than the order has columns");
    }
    for (int i = 0; i < values.size(); i++) {
      if (!(values.get(i) instanceof StoreTime time)) {
        parameters.add(new Parameter(columns.get(i).kind(), values.get(i)));
        continue;
      }
      if (table.values().now().isEmpty()) {
        throw new Rejected(
            "this store has no clock of its own: give an instant instead of a StoreTime");
      }
      for (long part : Term.parts(time)) {
        parameters.add(new Parameter(Kind.LONG, part));
      }
    }
  }

  /** How a value of a bound is written. */
  enum Term {
    VALUE,
    /** The store's now plus a duration. */
    TIME,
    /** The same, rounded up. */
    BUCKET;

    static Term of(Object value) {
      return value instanceof StoreTime time ? time.bucket().isZero() ? TIME : BUCKET : VALUE;
    }

    /** The parameters of {@link #text}, in microseconds. */
    static long[] parts(StoreTime time) {
      long plus = time.plus().toNanos() / 1_000;
      long step = time.bucket().toNanos() / 1_000;
      return step == 0 ? new long[] {plus} : new long[] {plus + step - 1, step, step};
    }

    String text(SqlValues values) {
      if (this == VALUE) {
        return "?";
      }
      String now = values.now().orElseThrow();
      return this == TIME
          ? "(" + now + " + ?)"
          : "(floor((" + now + " + ?)::numeric / ?)::bigint * ?)";
    }
  }

  /** Same for all pages of one query, in every process, and hardly for any other. */
  private int fingerprint() {
    return 31 * shape.hashCode() + scan.equal().hashCode();
  }

  /** The token that leads on after this row. */
  public Optional<String> next(Row last) {
    List<Object> values = new ArrayList<>();
    for (String attribute : ordered()) {
      Object value = Objects.requireNonNull(last.get(attribute), attribute);
      if (value instanceof Unreadable unreadable) {
        throw new Corrupt(
            last.key() + "." + unreadable + ": the page that ends here has no next one", null);
      }
      values.add(value);
    }
    List<Object> key = last.key().values();
    values.addAll(key.subList(scan.path().isPresent() ? 0 : scan.equal().size(), key.size()));
    return Optional.of(PageToken.encode(fingerprint(), order, values));
  }

  /** The token that leads on after this key. */
  public Optional<String> next(List<Object> orderedValues, String tenantId, Key last) {
    List<Object> values = new ArrayList<>(orderedValues);
    values.add(tenantId);
    values.addAll(last.values());
    return Optional.of(PageToken.encode(fingerprint(), order, values));
  }

  /** The ordered values of a row of keys, beginning at {@code from}. */
  public List<Object> readOrdered(RecordTable read, ResultSet row, int from) throws SQLException {
    List<Object> values = new ArrayList<>();
    for (String attribute : ordered()) {
      Kind kind = read.columnOf(attribute).kind();
      values.add(
          Objects.requireNonNull(read.values().read(row, from + values.size(), kind), attribute));
    }
    return values;
  }

  private List<String> ordered() {
    return scan.path().map(AccessPath::ordered).orElse(List.of());
  }

  /**
   * What makes two scans the same statement.
   *
   * @param path null: by key
   */
  record Shape(
      @Nullable String path,
      int equal,
      List<Term> from,
      List<Term> to,
      boolean after,
      boolean ascending,
      Select select) {

    /** Same for the first page and those that follow. */
    @Override
    public int hashCode() {
      return Objects.hash(path, equal, ascending, select == Select.SCOPED_KEYS);
    }

    List<RecordTable.Column> order(RecordTable table) {
      List<RecordTable.Column> columns = new ArrayList<>();
      if (path == null) {
        return table.keyColumns().subList(equal, table.keyColumns().size());
      }
      table.type().path(path).ordered().forEach(name -> columns.add(table.columnOf(name)));
      if (select == Select.SCOPED_KEYS) {
        columns.add(new RecordTable.Column("tenant_id", Kind.TEXT, false));
      }
      columns.addAll(table.keyColumns());
      return columns;
    }

    String text(RecordTable table) {
      if (path != null && table.hasEntryTable(table.type().path(path))) {
        return entriesText(table, table.type().path(path));
      }
      List<String> conditions = new ArrayList<>();
      List<RecordTable.Column> order = order(table);
      if (select != Select.SCOPED_KEYS) {
        conditions.add("tenant_id = ?");
      }
      if (path == null) {
        table.keyColumns().subList(0, equal).forEach(c -> conditions.add(c.name() + " = ?"));
      } else {
        AccessPath found = table.type().path(path);
        found.equality().forEach(name -> conditions.add(RecordTable.columnName(name) + " = ?"));
        table
            .required(found)
            .forEach(name -> conditions.add(RecordTable.columnName(name) + " IS NOT NULL"));
      }
      bound(conditions, order, texts(table, from), ">=");
      bound(conditions, order, texts(table, to), "<");
      bound(
          conditions,
          order,
          Collections.nCopies(after ? order.size() : 0, "?"),
          ascending ? ">" : "<");
      return "SELECT "
          + selected(table)
          + " FROM "
          + table.name()
          + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
          + orderBy(order)
          + " LIMIT ?";
    }

    /** A path over the elements of a list: its entries lead, the rows follow by key. */
    private String entriesText(RecordTable table, AccessPath found) {
      List<RecordTable.Column> order =
          order(table).stream()
              .map(c -> new RecordTable.Column("e." + c.name(), c.kind(), c.nullable()))
              .toList();
      List<String> conditions = new ArrayList<>();
      conditions.add("e.tenant_id = ?");
      found
          .equality()
          .forEach(name -> conditions.add("e." + RecordTable.columnName(name) + " = ?"));
      bound(conditions, order, texts(table, from), ">=");
      bound(conditions, order, texts(table, to), "<");
      bound(
          conditions,
          order,
          Collections.nCopies(after ? order.size() : 0, "?"),
          ascending ? ">" : "<");
      String rows =
          Stream.concat(
                  Stream.of("tenant_id"), table.keyColumns().stream().map(RecordTable.Column::name))
              .map(name -> "r." + name + " = e." + name)
              .collect(Collectors.joining(" AND "));
      return "SELECT "
          + Stream.of(selected(table).split(", "))
              .map("r."::concat)
              .collect(Collectors.joining(", "))
          + " FROM "
          + table.entries(found)
          + " e JOIN "
          + table.name()
          + " r ON "
          + rows
          + " WHERE "
          + String.join(" AND ", conditions)
          + orderBy(order)
          + " LIMIT ?";
    }

    private String selected(RecordTable table) {
      if (select != Select.SCOPED_KEYS) {
        return table.selectList();
      }
      List<String> names = new ArrayList<>();
      names.add("tenant_id");
      table.keyColumns().forEach(column -> names.add(column.name()));
      table
          .type()
          .path(Objects.requireNonNull(path))
          .ordered()
          .forEach(name -> names.add(RecordTable.columnName(name)));
      return String.join(", ", names);
    }

    private static List<String> texts(RecordTable table, List<Term> terms) {
      return terms.stream().map(term -> term.text(table.values())).toList();
    }

    private static void bound(
        List<String> conditions,
        List<RecordTable.Column> order,
        List<String> terms,
        String comparison) {
      if (terms.size() == 1) {
        conditions.add(order.get(0).name() + " " + comparison + " " + terms.get(0));
      } else if (terms.size() > 1) {
        conditions.add(
            order.subList(0, terms.size()).stream()
                    .map(RecordTable.Column::name)
                    .collect(Collectors.joining(", ", "(", ") " + comparison + " "))
                + terms.stream().collect(Collectors.joining(", ", "(", ")")));
      }
    }

    private String orderBy(List<RecordTable.Column> order) {
      if (order.isEmpty()) {
        return "";
      }
      return order.stream()
          .map(column -> column.name() + (ascending ? "" : " DESC"))
          .collect(Collectors.joining(", ", " ORDER BY ", ""));
    }
  }
}
