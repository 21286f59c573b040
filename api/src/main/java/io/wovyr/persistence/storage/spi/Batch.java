/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.storage.spi.RecordType.IndexEntry;
import io.wovyr.persistence.storage.spi.RecordType.Mutability;
import io.wovyr.persistence.storage.spi.RecordType.Removal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A write: all of it at one instant, or nothing. Sent again after an unknown outcome it is
 * identical, and its conditions let it apply at most once. Immutable.
 *
 * @param commitId of this write; its tries share it
 * @param epoch of the store when the rows were read; a store of another epoch refuses the batch
 *     with {@code Unavailable}, since what was read may never have been
 * @param witness the first append-only row it inserts, which carries the commit id and tells later
 *     whether it applied; empty for batches that are judged otherwise
 * @param mutations at most one per key
 * @param checks versions of mutable records that the batch does not write
 * @param client where the call came from, for histories; in clear here: a store that keeps it seals
 *     it by what {@link Storage#useSealing} gave it
 * @since 0.1
 */
public record Batch(
    UUID commitId,
    long epoch,
    Scope scope,
    Optional<Key> witness,
    List<Mutation> mutations,
    List<VersionIs> checks,
    Optional<String> client) {
  /** Condition: the stored version of a record is this one. */
  public record VersionIs(Key key, long version) {}

  /**
   * @throws IllegalArgumentException when a key occurs twice, an append-only record is changed, one
   *     is deleted that batches do not remove, or a row belongs to another tenant: a mistake of the
   *     program
   */
  public Batch {
    mutations = List.copyOf(mutations);
    checks = List.copyOf(checks);
    Set<Key> keys = new HashSet<>();
    for (Mutation mutation : mutations) {
      once(keys, mutation.key());
      boolean insert = mutation instanceof Mutation.Insert;
      if (!insert && mutation.key().type().mutability() == Mutability.APPEND_ONLY) {
        throw new IllegalArgumentException(mutation.key() + " is append-only");
      }
      if (mutation instanceof Mutation.Delete
          && mutation.key().type().removal() != Removal.BY_BATCH) {
        throw new IllegalArgumentException(mutation.key() + " is never removed");
      }
      if (!isOf(scope.tenantId(), mutation)) {
        throw new IllegalArgumentException(mutation.key() + " belongs to another tenant");
      }
    }
    for (VersionIs check : checks) {
      once(keys, check.key());
      if (check.key().type().mutability() == Mutability.APPEND_ONLY) {
        throw new IllegalArgumentException(check.key() + " is append-only: nothing to check");
      }
    }
    if (witness.isPresent() && !keys.contains(witness.get())) {
      throw new IllegalArgumentException("witness " + witness.get() + " is not in the batch");
    }
  }

  /** A batch that does not say where the call came from. */
  public Batch(
      UUID commitId,
      long epoch,
      Scope scope,
      Optional<Key> witness,
      List<Mutation> mutations,
      List<VersionIs> checks) {
    this(commitId, epoch, scope, witness, mutations, checks, Optional.empty());
  }

  private static void once(Set<Key> keys, Key key) {
    if (!keys.add(key)) {
      throw new IllegalArgumentException(key + " occurs twice in the batch");
    }
  }

  private static boolean isOf(String tenantId, Mutation mutation) {
    if (mutation instanceof Mutation.Update update) {
      return isOf(tenantId, update.before()) && isOf(tenantId, update.after());
    }
    return isOf(
        tenantId,
        mutation instanceof Mutation.Delete delete
            ? delete.before()
            : ((Mutation.Insert) mutation).after());
  }

  private static boolean isOf(String tenantId, Row row) {
    return row.header().tenantId().equals(tenantId);
  }

  private static @org.jspecify.annotations.Nullable Row after(Mutation mutation) {
    if (mutation instanceof Mutation.Insert insert) {
      return insert.after();
    }
    return mutation instanceof Mutation.Update update ? update.after() : null;
  }

  /** What {@link Limits#batchItems()} counts: records, checks, and index entries that change. */
  public int items(Limits limits) {
    int items = mutations.size() + checks.size();
    if (limits.itemsPerIndexEntry() == 0) {
      return items;
    }
    int entries = 0;
    for (Mutation mutation : mutations) {
      RecordType type = mutation.key().type();
      if (mutation instanceof Mutation.Insert insert) {
        entries += type.entries(insert.after()).size();
      } else if (mutation instanceof Mutation.Delete delete) {
        entries += type.entries(delete.before()).size();
      } else if (mutation instanceof Mutation.Update update) {
        List<IndexEntry> before = type.entries(update.before());
        List<IndexEntry> changed = new ArrayList<>(type.entries(update.after()));
        for (IndexEntry entry : before) {
          if (!changed.remove(entry)) {
            entries++;
          }
        }
        entries += changed.size();
      }
    }
    return items + entries * limits.itemsPerIndexEntry();
  }

  /** What {@link Limits#batchBytes()} counts. */
  public long sizeBytes() {
    long size = 0;
    for (Mutation mutation : mutations) {
      Row after = after(mutation);
      size += after == null ? 100 : after.sizeBytes();
    }
    return size;
  }

  /**
   * The limit this batch breaks, in words, or empty. Every provider asks before it writes, so that
   * all say the same.
   */
  public Optional<String> violates(Limits limits) {
    // As sizeBytes() counts, but every row once: this is asked on every write.
    long size = 0;
    for (Mutation mutation : mutations) {
      Row after = after(mutation);
      int bytes = after == null ? 100 : after.sizeBytes();
      if (after != null && bytes > limits.recordBytes()) {
        return Optional.of(
            "%s has %,d bytes; a record may have %,d (recordBytes)"
                .formatted(mutation.key(), bytes, limits.recordBytes()));
      }
      size += bytes;
    }
    int items = items(limits);
    if (items > limits.batchItems()) {
      return Optional.of(
          "the batch has %,d items; %,d are allowed (batchItems)"
              .formatted(items, limits.batchItems()));
    }
    return size > limits.batchBytes()
        ? Optional.of(
            "the batch has %,d bytes; %,d are allowed (batchBytes)"
                .formatted(size, limits.batchBytes()))
        : Optional.empty();
  }
}
