/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads rows of one tenant by their keys, in one view. For one thread. */
final class RowReader {
  private final View view;
  private final Layout layout;
  private final String tenant;

  RowReader(View view, Layout layout, String tenant) {
    this.view = view;
    this.layout = layout;
    this.tenant = tenant;
  }

  /** A block, and the rows in it. */
  record Read(Place place, Stored stored, List<Row> rows) {}

  /** One answer per key, in the order asked. */
  List<Optional<Row>> rows(List<Key> keys) {
    return rows(keys, keys);
  }

  /**
   * One answer per key, in the order asked.
   *
   * @param blocks where each is likely to be: the keys of their blocks
   */
  List<Optional<Row>> rows(List<Key> keys, List<Key> blocks) {
    List<Optional<Stored>> stored =
        view.get(blocks.stream().map(key -> layout.row(tenant, key)).toList());
    List<Optional<Row>> rows = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      Key key = keys.get(i);
      Key block = blocks.get(i);
      Optional<Row> row =
          stored.get(i).flatMap(found -> in(Block.decode(block, tenant, found.body()), key));
      boolean elsewhere = row.isEmpty() && TypeLayout.of(key.type()).blocked();
      rows.add(elsewhere ? searched(key) : row);
    }
    return rows;
  }

  /** The place behind a row. */
  Place after(Key key) {
    return layout.row(tenant, key).after();
  }

  /** The first row of what lies under this key. */
  Row decoded(Key key, Stored stored) {
    return Block.decode(key, tenant, stored.body()).get(0);
  }

  Optional<Row> row(Key key) {
    return rows(List.of(key)).get(0);
  }

  private static Optional<Row> in(List<Row> rows, Key key) {
    return rows.stream().filter(row -> row.key().equals(key)).findFirst();
  }

  private Optional<Row> searched(Key key) {
    return blockUpTo(key).flatMap(found -> in(found.rows(), key));
  }

  /** The last block that begins with this key or one before it. */
  Optional<Read> blockUpTo(Key key) {
    Range back = new Range(beforeAll(key), layout.row(tenant, key).after(), false);
    return next(key, back);
  }

  private Place beforeAll(Key key) {
    return layout
        .rows(tenant, key.type(), layout.shardOf(key.type(), key.values()))
        .then(Layout.values(TypeLayout.of(key.type()).keyKinds(), Block.prefix(key)));
  }

  private Optional<Read> next(Key key, Range range) {
    Optional<Range> left = Optional.of(range);
    while (left.isPresent()) {
      Found found = view.range(left.get(), 1);
      if (!found.entries().isEmpty()) {
        return Optional.of(read(key, found.entries().get(0)));
      }
      left = found.rest();
    }
    return Optional.empty();
  }

  private Read read(Key of, Found.Entry entry) {
    Place partition = layout.rows(tenant, of.type(), layout.shardOf(of.type(), of.values()));
    Key first = Layout.keyOf(of.type(), partition, entry.place());
    return new Read(
        entry.place(), entry.stored(), Block.decode(first, tenant, entry.stored().body()));
  }

  /** The blocks that hold any of the rows from a key to a place behind it, exclusive. */
  List<Read> blocks(Key from, Place toExclusive) {
    List<Read> blocks = new ArrayList<>();
    if (TypeLayout.of(from.type()).blocked()) {
      blockUpTo(from)
          .filter(block -> !block.place().equals(layout.row(tenant, from)))
          .filter(block -> last(block).compareTo(from) >= 0)
          .ifPresent(blocks::add);
    }
    Range range = new Range(layout.row(tenant, from), toExclusive, true);
    Optional<Range> left =
        range.from().compareTo(range.to()) < 0 ? Optional.of(range) : Optional.empty();
    while (left.isPresent()) {
      Found found = view.range(left.get(), 1_000);
      found.entries().forEach(entry -> blocks.add(read(from, entry)));
      left = found.rest();
    }
    return blocks;
  }

  private static Key last(Read block) {
    return block.rows().get(block.rows().size() - 1).key();
  }
}
