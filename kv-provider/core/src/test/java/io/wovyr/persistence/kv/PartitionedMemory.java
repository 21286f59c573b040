/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Shape;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refusal;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Limits;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * An engine in memory with the shape of a hosted table: ranges inside one partition only, pages of
 * a few entries and empty ones that go on, no snapshot, writes of few changes that each name
 * another key, conditions judged one by one. It fails the test that asks for more.
 */
final class PartitionedMemory implements Engine {
  private static final int MOST_CHANGES = 100;
  private static final int PAGE = 3;

  /** What all handles share. */
  static final class Table {
    private final Map<Bytes, NavigableMap<Place, Stored>> partitions = new TreeMap<>();
    private final int shards;
    private long stamp;
    private int ranges;

    Table(int shards) {
      this.shards = shards;
    }

    /** Puts a byte that nothing can be in the place of what lies there. */
    void damage(Place place) {
      NavigableMap<Place, Stored> partition = partitions.get(partition(place));
      partition.compute(
          place, (key, found) -> new Stored(found.version(), Bytes.wrap(new byte[] {(byte) 0xff})));
    }

    /** Everything that lies in it, by key. */
    NavigableMap<Place, Stored> all() {
      NavigableMap<Place, Stored> all = new TreeMap<>();
      partitions.values().forEach(all::putAll);
      return all;
    }
  }

  private final Table table;

  PartitionedMemory(Table table) {
    this.table = table;
  }

  @Override
  public Shape shape() {
    return new Shape(
        Set.of(Capability.MERGED_COMMIT),
        new Limits(300_000, 40, 2_000_000, 10, 1),
        table.shards,
        false,
        100_000,
        false,
        false);
  }

  @Override
  public String description() {
    return "the table in memory";
  }

  private static Bytes partition(Place place) {
    return Bytes.wrap(Arrays.copyOf(place.bytes(), place.partition()));
  }

  private NavigableMap<Place, Stored> entries(Place place) {
    return table.partitions.computeIfAbsent(partition(place), name -> new TreeMap<>());
  }

  @Override
  public View view(Deadline deadline) {
    if (deadline.isOver()) {
      throw new Unavailable("the deadline is over", null);
    }
    return new View() {
      @Override
      public List<Optional<Stored>> get(List<Place> places) {
        synchronized (table) {
          return places.stream()
              .map(place -> Optional.ofNullable(entries(place).get(place)))
              .toList();
        }
      }

      @Override
      public Found range(Range range, int limit) {
        synchronized (table) {
          return page(range, Math.min(limit, PAGE));
        }
      }

      @Override
      public Bytes horizon() {
        synchronized (table) {
          return bytes(table.stamp);
        }
      }

      @Override
      public void close() {}
    };
  }

  private Found page(Range range, int limit) {
    Place end = new Place(partition(range.from()).toByteArray(), range.from().partition());
    if (range.to().compareTo(end.afterAll()) > 0) {
      throw new AssertionError("a range leaves its partition: " + range);
    }
    if (table.ranges++ % 5 == 4) {
      return new Found(List.of(), Optional.of(range));
    }
    if (range.from().compareTo(range.to()) >= 0) {
      return new Found(List.of(), Optional.empty());
    }
    NavigableMap<Place, Stored> found =
        entries(range.from()).subMap(range.from(), true, range.to(), false);
    List<Found.Entry> entries = new ArrayList<>();
    for (var entry : (range.ascending() ? found : found.descendingMap()).entrySet()) {
      if (entries.size() == limit) {
        Place last = entries.get(limit - 1).place();
        Range rest =
            range.ascending()
                ? new Range(last.after(), range.to(), true)
                : new Range(range.from(), last, false);
        return new Found(entries, Optional.of(rest));
      }
      entries.add(new Found.Entry(entry.getKey(), entry.getValue()));
    }
    return new Found(entries, Optional.empty());
  }

  private static Bytes bytes(long stamp) {
    return Bytes.wrap(ByteBuffer.allocate(12).putInt(7).putLong(stamp).array());
  }

  @Override
  public List<WriteOutcome> write(List<AtomicWrite> writes, Deadline deadline) {
    synchronized (table) {
      if (deadline.isOver()) {
        throw new Unavailable("the deadline is over", null);
      }
      return writes.stream().map(this::write).toList();
    }
  }

  private WriteOutcome write(AtomicWrite write) {
    if (write.changes().size() > MOST_CHANGES) {
      throw new AssertionError(write.changes().size() + " changes in one write");
    }
    Set<Place> named = new HashSet<>();
    List<Refusal> refusals = new ArrayList<>();
    for (int i = 0; i < write.changes().size(); i++) {
      Change change = write.changes().get(i);
      if (!named.add(change.place())) {
        throw new AssertionError("a write names " + change.place() + " twice");
      }
      Optional<Stored> stored = Optional.ofNullable(entries(change.place()).get(change.place()));
      if (!change.condition().holds(stored)) {
        refusals.add(new Refusal(i, stored));
      }
    }
    if (!refusals.isEmpty()) {
      return new WriteOutcome.Refused(refusals);
    }
    table.stamp++;
    write.changes().forEach(this::apply);
    return new WriteOutcome.Applied();
  }

  private void apply(Change change) {
    if (change instanceof Change.Put put) {
      Stored value = put.value();
      entries(put.place())
          .put(
              put.place(),
              put.stamped()
                  ? new Stored(value.version(), bytes(table.stamp), value.body())
                  : value);
    } else if (change instanceof Change.Remove remove) {
      entries(remove.place()).remove(remove.place());
    } else if (change instanceof Change.Append append) {
      Place place = append.place().then(bytes(table.stamp).unsafeArray());
      entries(place).put(place, new Stored(0, append.body()));
    }
  }

  @Override
  public long sizeBytes(Range range) {
    return 0;
  }

  @Override
  public Health health() {
    return new Health(true, Optional.of(Duration.ZERO), Optional.empty());
  }

  @Override
  public void close() {}
}
