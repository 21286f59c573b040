/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.storage.spi.Deadline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Reads of one call. There is no snapshot: each sees all that was written before it. */
final class DynamoDbView implements View {
  private final Table table;
  private final Horizon horizon;
  private final StampClock clock;
  private final Deadline deadline;

  DynamoDbView(Table table, Horizon horizon, StampClock clock, Deadline deadline) {
    this.table = table;
    this.horizon = horizon;
    this.clock = clock;
    this.deadline = deadline;
  }

  @Override
  public List<Optional<Stored>> get(List<Place> places) {
    List<Place> once = places.stream().distinct().toList();
    Map<Place, Optional<Stored>> found = new HashMap<>();
    for (int i = 0; i < once.size(); i += Table.MOST_KEYS) {
      List<Place> some = once.subList(i, Math.min(once.size(), i + Table.MOST_KEYS));
      List<Optional<Map<String, AttributeValue>>> items =
          table.getTogether(some.stream().map(Items::key).toList(), deadline);
      for (int k = 0; k < some.size(); k++) {
        found.put(some.get(k), items.get(k).map(this::stored));
      }
    }
    return places.stream().map(place -> found.getOrDefault(place, Optional.empty())).toList();
  }

  private Stored stored(Map<String, AttributeValue> item) {
    // What this handle writes next gets a higher stamp at once, instead of being refused first.
    clock.observe(Items.bytes(item, Items.WRITTEN));
    return Items.stored(item);
  }

  @Override
  public Found range(Range range, int limit) {
    if (range.from().compareTo(range.to()) >= 0) {
      return new Found(List.of(), Optional.empty());
    }
    boolean bounded = isInside(range.from(), range.to());
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":p", Items.partition(range.from()));
    values.put(":from", Items.sort(range.from()));
    if (bounded) {
      values.put(":to", Items.sort(within(range.from(), range.to())));
    }
    QueryResponse page =
        table.query(
            QueryRequest.builder()
                .keyConditionExpression(
                    bounded ? "p = :p AND k BETWEEN :from AND :to" : "p = :p AND k >= :from")
                .expressionAttributeValues(values)
                .scanIndexForward(range.ascending())
                .limit(limit + (bounded ? 1 : 0))
                .build(),
            deadline);
    return found(range, limit, page);
  }

  private static boolean isInside(Place from, Place to) {
    int partition = from.partition();
    return to.bytes().length >= partition
        && Arrays.equals(from.bytes(), 0, partition, to.bytes(), 0, partition);
  }

  /** The end of a range may think of another partition than it is in. */
  private static Place within(Place from, Place to) {
    return new Place(to.bytes(), from.partition());
  }

  private Found found(Range range, int limit, QueryResponse page) {
    List<Found.Entry> entries = new ArrayList<>(page.items().size());
    for (Map<String, AttributeValue> item : page.items()) {
      Place place = Items.place(item);
      if (entries.size() == limit) {
        return new Found(entries, rest(range, entries.get(limit - 1).place()));
      }
      if (place.compareTo(range.to()) < 0) {
        entries.add(new Found.Entry(place, stored(item)));
      }
    }
    // Another page may follow one without any item.
    return page.hasLastEvaluatedKey() && !page.lastEvaluatedKey().isEmpty()
        ? new Found(entries, rest(range, Items.place(page.lastEvaluatedKey())))
        : new Found(entries, Optional.empty());
  }

  private static Optional<Range> rest(Range range, Place last) {
    Range rest =
        range.ascending()
            ? new Range(last.after(), range.to(), true)
            : new Range(range.from(), last, false);
    return Optional.of(rest).filter(left -> left.from().compareTo(left.to()) < 0);
  }

  @Override
  public Bytes horizon() {
    return horizon.move(deadline);
  }

  @Override
  public void close() {}
}
