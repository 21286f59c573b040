/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.storage.spi.Batch.VersionIs;
import io.wovyr.persistence.storage.spi.RecordType.Removal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final Scope ACME = Scope.tenant("acme");
  private static final Limits ROOMY = new Limits(1_000_000, 1_000, 10_000_000, 100, 1);

  private static Batch batch(
      Scope scope, Optional<Key> witness, List<Mutation> mutations, VersionIs... checks) {
    return new Batch(new UUID(5, 5), 1, scope, witness, mutations, List.of(checks));
  }

  private static Batch batch(Mutation... mutations) {
    return batch(ACME, Optional.empty(), List.of(mutations));
  }

  private static Mutation update(Row before, Row after) {
    return new Mutation.Update(before, after);
  }

  @Nested
  class Mistakes {
    private void refused(String what, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(what);
    }

    @Test
    void aKeyIsChangedOnce() {
      Row row = Samples.parcel("p", 1);
      refused(
          "parcel[p] occurs twice",
          () -> batch(new Mutation.Insert(row), new Mutation.Delete(row)));
    }

    @Test
    void aKeyIsChangedOrCheckedNeverBoth() {
      Row row = Samples.parcel("p", 1);
      refused(
          "parcel[p] occurs twice",
          () ->
              batch(
                  ACME,
                  Optional.empty(),
                  List.of(new Mutation.Insert(row)),
                  new VersionIs(row.key(), 1)));
    }

    @Test
    void anAppendOnlyRecordIsInsertedAndNothingElse() {
      Row row = Samples.scan(1);
      assertThat(batch(new Mutation.Insert(row)).mutations()).hasSize(1);
      refused("append-only", () -> batch(new Mutation.Delete(row)));
      refused("append-only", () -> batch(update(row, row.with(Samples.header("acme", 2)))));
      refused(
          "append-only",
          () -> batch(ACME, Optional.empty(), List.of(), new VersionIs(row.key(), 1)));
    }

    @Test
    void aRecordThatIsNeverRemovedIsNotDeleted() {
      RecordType kept = RecordType.named("kept", 902).keyText("name", 20).build();
      Row row = new Row(Key.of(kept, "k"), Samples.header("acme", 1), List.of());
      refused("kept[k] is never removed", () -> batch(new Mutation.Delete(row)));
      Row parcel = Samples.parcel("p", 1);
      assertThat(batch(new Mutation.Delete(parcel)).mutations()).hasSize(1);
    }

    @Test
    void whatChangesIsNotPurgedAndWhatIsAppendOnlyNotRemovedByBatches() {
      refused(
          "kept: MUTABLE records are not removed BY_PURGE",
          () ->
              RecordType.named("kept", 902)
                  .keyText("name", 20)
                  .removed(RecordType.Removal.BY_PURGE)
                  .build());
      refused(
          "kept: APPEND_ONLY records are not removed BY_BATCH",
          () ->
              RecordType.named("kept", 902)
                  .appendOnly()
                  .keyText("name", 20)
                  .removed(RecordType.Removal.BY_BATCH)
                  .build());
      refused(
          "parcel is not removed by purges",
          () -> new Purge(batch(), Samples.PARCEL, List.of(), "a", "b", List.of()));
    }

    @Test
    void headsAuditRecordsSecretsAndKeysAreNeverRemoved() {
      assertThat(RecordTypes.all().stream().filter(type -> type.removal() != Removal.NEVER))
          .containsExactly(
              RecordTypes.EVENT,
              RecordTypes.COMMIT_MARKER,
              RecordTypes.FEED_CURSOR,
              RecordTypes.SCHEDULE,
              RecordTypes.AUDIT_DETAILS,
              RecordTypes.METRICS_SNAPSHOT,
              RecordTypes.CHECKPOINT,
              RecordTypes.LARGE_VALUE,
              RecordTypes.CHUNK);
    }

    @Test
    void everyRowBelongsToTheTenantOfTheScope() {
      Row own = Samples.parcel("p", 1);
      Row foreign = own.with(Samples.header("other", 1));
      refused("another tenant", () -> batch(new Mutation.Insert(foreign)));
      refused("another tenant", () -> batch(new Mutation.Delete(foreign)));
      refused("another tenant", () -> batch(update(own, own.with(Samples.header("other", 2)))));
      refused("another tenant", () -> batch(update(foreign, own.with(Samples.header("acme", 2)))));
      refused(
          "another tenant",
          () ->
              batch(new Scope.System("test"), Optional.empty(), List.of(new Mutation.Insert(own))));
    }

    @Test
    void theWitnessIsInTheBatch() {
      Row row = Samples.scan(1);
      Batch good = batch(ACME, Optional.of(row.key()), List.of(new Mutation.Insert(row)));
      assertThat(good.witness()).contains(row.key());
      refused(
          "witness",
          () -> batch(ACME, Optional.of(Samples.scan(2).key()), List.of(new Mutation.Insert(row))));
    }

    @Test
    void anUpdateLeadsToTheNextVersionOfTheSameKey() {
      Row before = Samples.parcel("p", 1);
      refused("leads to version 3", () -> update(before, Samples.parcel("p", 3)));
      refused("leads to version 1", () -> update(before, before));
      refused("changes its key", () -> update(before, Samples.parcel("q", 2)));
    }
  }

  @Nested
  class Sizes {
    private final Row plain = Samples.parcel("p", 1);
    private final Row indexed =
        Samples.parcel("q", 1, "NEW", "L", Instant.EPOCH, List.of("red", "big"), null);

    @Test
    void itemsAreRecordsChecksAndIndexEntriesThatChange() {
      assertThat(batch(new Mutation.Insert(plain)).items(ROOMY)).isEqualTo(1);
      assertThat(batch(new Mutation.Insert(indexed)).items(ROOMY)).isEqualTo(1 + 4);
      assertThat(batch(new Mutation.Delete(indexed)).items(ROOMY)).isEqualTo(1 + 4);
      Batch withCheck =
          batch(
              ACME,
              Optional.empty(),
              List.of(new Mutation.Insert(plain)),
              new VersionIs(indexed.key(), 1));
      assertThat(withCheck.items(ROOMY)).isEqualTo(2);
    }

    @Test
    void anUpdateCountsOnlyTheEntriesThatChange() {
      Row same = indexed.with(Samples.header("acme", 2));
      assertThat(batch(update(indexed, same)).items(ROOMY)).isEqualTo(1);
      // One tag less, one more, and the rest as it was.
      assertThat(batch(update(indexed, same.with("tags", List.of("big", "new")))).items(ROOMY))
          .isEqualTo(1 + 2);
      // The status is part of the unique key and of a path: two entries go, two come.
      assertThat(batch(update(indexed, same.with("status", "DONE"))).items(ROOMY)).isEqualTo(1 + 4);
    }

    @Test
    void aStoreThatKeepsIndexesItselfCountsRecordsOnly() {
      Limits relational = new Limits(1_000_000, 1_000, 10_000_000, 100, 0);
      assertThat(batch(new Mutation.Insert(indexed)).items(relational)).isEqualTo(1);
    }

    @Test
    void bytesAreThoseOfTheRowsAfterwards() {
      assertThat(batch(new Mutation.Insert(plain), new Mutation.Insert(indexed)).sizeBytes())
          .isEqualTo((long) plain.sizeBytes() + indexed.sizeBytes());
    }

    @Test
    void whatFitsViolatesNothing() {
      Batch batch = batch(new Mutation.Insert(plain), new Mutation.Insert(indexed));
      assertThat(batch.violates(ROOMY)).isEmpty();
      Limits exact =
          new Limits(
              Math.max(plain.sizeBytes(), indexed.sizeBytes()),
              batch.items(ROOMY),
              batch.sizeBytes(),
              1,
              1);
      assertThat(batch.violates(exact)).isEmpty();
    }

    @Test
    void theLimitThatIsBrokenIsNamed() {
      Batch batch = batch(new Mutation.Insert(plain), new Mutation.Insert(indexed));
      assertThat(batch.violates(new Limits(plain.sizeBytes(), 1_000, 1 << 20, 1, 1)))
          .hasValueSatisfying(
              text -> assertThat(text).contains("recordBytes").contains("parcel[q]"));
      assertThat(batch.violates(new Limits(1 << 20, batch.items(ROOMY) - 1, 1 << 20, 1, 1)))
          .hasValueSatisfying(text -> assertThat(text).contains("batchItems"));
      assertThat(batch.violates(new Limits(1 << 20, 1_000, batch.sizeBytes() - 1, 1, 1)))
          .hasValueSatisfying(text -> assertThat(text).contains("batchBytes"));
    }
  }
}
