/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Found;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The record of a store: which it is, its epoch and its versions. Immutable.
 *
 * @param layout version of the layout of its keys
 * @param shards fixed when it was made
 */
public record KvStore(StoreIdentity identity, int layout, int shards) {
  /** The schema that this version makes and opens. */
  public static final int SCHEMA_VERSION = 1;

  /** Stamps have 15 bits for it. */
  private static final long LAST_EPOCH = 32_767;

  /** The record that the engine holds; empty when there is no store yet. */
  public static Optional<KvStore> find(Engine engine, Deadline deadline) {
    return Views.read(engine, deadline, KvStore::find);
  }

  /** The record that a view shows. */
  public static Optional<KvStore> find(View view) {
    return view.get(List.of(Layout.store())).get(0).map(KvStore::decode);
  }

  /**
   * Makes a store, unless there is one.
   *
   * @return the one that is there then
   */
  public static KvStore create(Engine engine, Deadline deadline) {
    Optional<KvStore> found = find(engine, deadline);
    if (found.isPresent()) {
      return found.get();
    }
    KvStore made =
        new KvStore(
            new StoreIdentity(UUID.randomUUID(), 1, SCHEMA_VERSION),
            Layout.VERSION,
            engine.shape().shards());
    engine.write(List.of(made.put(Condition.ABSENT)), deadline);
    return find(engine, deadline)
        .orElseThrow(() -> new Unavailable(engine.description() + " keeps nothing", null));
  }

  /**
   * Where that record lies, for engines that do something of their own when it changes. Its version
   * is the epoch, and every write checks it where the engine is not exclusive.
   */
  public static Place recordPlace() {
    return Layout.store();
  }

  /** The highest stamp that lies in the store, where a counter goes on; empty in a new store. */
  public static Bytes lastStamp(View view) {
    Bytes last = Bytes.EMPTY;
    for (Place stamped : List.of(Layout.feedOfAll(), Layout.marksOfAll())) {
      Optional<Range> left = Optional.of(Range.of(stamped, false));
      while (left.isPresent()) {
        Found found = view.range(left.get(), 1);
        left = found.entries().isEmpty() ? found.rest() : Optional.empty();
        for (Found.Entry entry : found.entries()) {
          Bytes stamp = Bytes.wrap(Layout.behind(stamped, entry.place()));
          last = stamp.compareTo(last) > 0 ? stamp : last;
        }
      }
    }
    return last;
  }

  /** Begins a new epoch; as {@link #raiseEpoch(Engine, long, Deadline)}. */
  public static KvStore raiseEpoch(Engine engine, Deadline deadline) {
    return raiseEpoch(engine, 0, deadline);
  }

  /**
   * Begins a new epoch, as a restore, a copy or a promotion must before its first write. Of an
   * engine that is {@link io.wovyr.persistence.kv.engine.Shape#exclusive} no other handle may be
   * open: writes do not look at the epoch there, and it would not be noticed.
   *
   * @param above an epoch that the new one is above, beside that of the store: of what was restored
   *     before, say
   * @throws Unavailable when somebody else did so meanwhile; nothing was changed
   * @throws UnsupportedVersion for a store from a newer version; nothing was changed
   * @throws Rejected when there are no more epochs
   */
  public static KvStore raiseEpoch(Engine engine, long above, Deadline deadline) {
    KvStore found = find(engine, deadline).orElseThrow(() -> absent(engine));
    found.refuseNewer(engine.description());
    StoreIdentity old = found.identity();
    long epoch = Math.max(old.epoch(), above) + 1;
    if (epoch > LAST_EPOCH) {
      throw new Rejected("%s has no epoch above %d".formatted(engine.description(), LAST_EPOCH));
    }
    KvStore raised =
        new KvStore(
            new StoreIdentity(old.storeId(), epoch, old.schemaVersion()),
            found.layout(),
            found.shards());
    WriteOutcome outcome =
        engine.write(List.of(raised.put(new Condition.VersionIs(old.epoch()))), deadline).get(0);
    if (outcome instanceof WriteOutcome.Refused) {
      throw new Unavailable(engine.description() + " began another epoch meanwhile", null);
    }
    return raised;
  }

  /**
   * Opens a store over a handle of its engine, which is closed with it, also when this fails.
   *
   * @throws UnsupportedVersion for a store from a newer version
   * @throws Unavailable when there is no store
   */
  public static Storage open(Engine engine, Deadline deadline) {
    try {
      KvStore store = find(engine, deadline).orElseThrow(() -> absent(engine));
      store.refuseNewer(engine.description());
      return new KvStorage(engine, store);
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
  }

  private static Unavailable absent(Engine engine) {
    return new Unavailable("there is no store in " + engine.description(), null);
  }

  /**
   * @throws UnsupportedVersion when a newer version wrote it
   * @throws Corrupt when no version ever wrote such a store
   */
  public void refuseNewer(String description) {
    if (layout < 1 || identity.schemaVersion() < 1) {
      throw new Corrupt(
          "%s says that it is of schema %d and layout %d, which were never written: restore a backup"
              .formatted(description, identity.schemaVersion(), layout),
          null);
    }
    if (layout > Layout.VERSION || identity.schemaVersion() > SCHEMA_VERSION) {
      throw new UnsupportedVersion(
          "%s is of schema %d and layout %d; this version knows %d and %d: use a newer one"
              .formatted(
                  description, identity.schemaVersion(), layout, SCHEMA_VERSION, Layout.VERSION));
    }
  }

  /** Where the record of the store lies; its version is the epoch. */
  public static Place ownPlace() {
    return Layout.store();
  }

  /** Where a record lies; of those that lie in blocks, the block that begins with it. */
  public Place place(Scope scope, Key key) {
    return new Layout(shards).row(scope.tenantId(), key);
  }

  private AtomicWrite put(Condition condition) {
    ValueWriter out = new ValueWriter(24);
    out.octet(layout);
    out.u64(identity.storeId().getMostSignificantBits());
    out.u64(identity.storeId().getLeastSignificantBits());
    out.number(identity.schemaVersion()).octet(shards);
    Stored stored = new Stored(identity.epoch(), Bytes.wrap(out.toBytes()));
    return new AtomicWrite(List.of(new Change.Put(Layout.store(), condition, stored)));
  }

  private static KvStore decode(Stored stored) {
    try {
      ValueReader in = new ValueReader(stored.body().unsafeArray());
      int layout = in.octet();
      UUID storeId = new UUID(in.u64(), in.u64());
      StoreIdentity identity = new StoreIdentity(storeId, stored.version(), in.smallNumber());
      return new KvStore(identity, layout, in.octet());
    } catch (Corrupt e) {
      throw new Corrupt("the record of the store cannot be read: restore a backup", e);
    }
  }
}
