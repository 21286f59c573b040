/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.encryption.EnvelopeSealing;
import io.wovyr.encryption.jpa.ColumnEncryption;
import io.wovyr.encryption.jpa.EncryptedColumn;
import io.wovyr.encryption.key.KeyProvider;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.jpa.entity.RecordEntity;
import io.wovyr.persistence.jpa.entity.RevisionContext;
import io.wovyr.persistence.jpa.entity.RevisionEntity;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Mutation.Delete;
import io.wovyr.persistence.storage.spi.Mutation.Insert;
import io.wovyr.persistence.storage.spi.Mutation.Update;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Session;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The history of the lifecycle, which Envers writes in the commit's own transaction. */
public abstract class HistoryContract {
  private static final String TENANT = "acme";

  /** An open store that holds nothing. */
  protected abstract Storage storage();

  /** The first column of a query, past the store's walls. */
  protected abstract List<String> query(String sql) throws SQLException;

  /** An expression for the text of a column that holds an id. */
  protected abstract String idText(String column);

  /** An execution of this tenant with status {@code x}, written by {@code tester}. */
  protected abstract Row execution(String tenant);

  /** A row of any type, written by {@code tester}. */
  protected abstract Row row(String tenant, RecordType type, Object... key);

  /** Runs something in a session of Hibernate on the store, which sees this tenant's rows. */
  protected abstract <T> T inSession(String tenant, Function<Session, T> work) throws SQLException;

  /** An expression for the digits of a column that holds bytes, in hexadecimal. */
  protected abstract String hexText(String column);

  /** An event of this tenant. */
  protected abstract Row event(String tenant, UUID execution, long sequence);

  private Batch batch(Mutation... mutations) {
    return new Batch(
        UUID.randomUUID(),
        storage().identity().epoch(),
        Scope.tenant(TENANT),
        Optional.empty(),
        List.of(mutations),
        List.of());
  }

  private CommitOutcome commit(Mutation... mutations) {
    return storage().commit(batch(mutations), deadline());
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(60));
  }

  private static Row next(Row row) {
    return row.with(row.header().next(row.header().updatedAt(), "operator"));
  }

  private static UUID id(Row execution) {
    return (UUID) execution.key().values().get(0);
  }

  private List<String> history() throws SQLException {
    return query(
        "SELECT a.revtype || ' ' || coalesce(a.status, '-') || ' ' || r.actor || ' '"
            + " || a.tenant_id || ' ' || r.tenant_id"
            + " FROM execution_aud a JOIN revision r ON r.rev = a.rev ORDER BY a.rev");
  }

  private long count(String table) throws SQLException {
    return Long.parseLong(query("SELECT count(*) FROM " + table).get(0));
  }

  @Test
  void everyChangeLeavesARevisionThatTellsWhoAndInWhichCommit() throws SQLException {
    UUID correlation = UUID.randomUUID();
    Row created = execution(TENANT);
    Batch creation =
        batch(
            new Insert(created),
            new Insert(event(TENANT, id(created), 1).with("correlationId", correlation)));
    assertThat(storage().commit(creation, deadline())).isInstanceOf(Committed.class);
    Row running = next(created).with("status", "RUNNING");
    Row done = next(running).with("status", "COMPLETED");
    assertThat(commit(new Update(created, running))).isInstanceOf(Committed.class);
    assertThat(commit(new Update(running, done))).isInstanceOf(Committed.class);

    assertThat(history())
        .containsExactly(
            "0 x tester acme acme",
            "1 RUNNING operator acme acme",
            "1 COMPLETED operator acme acme");
    assertThat(
            query(
                "SELECT "
                    + idText("correlation_id")
                    + " || ' ' || "
                    + idText("commit_id")
                    + " FROM revision ORDER BY rev LIMIT 1"))
        .containsExactly(correlation + " " + creation.commitId());
  }

  @Test
  void definitionsSchedulesAndCompensationsHaveOneToo() throws SQLException {
    List<Row> rows =
        List.of(
            row(TENANT, RecordTypes.DEFINITION, "order", 1),
            row(TENANT, RecordTypes.SCHEDULE, "nightly"),
            row(TENANT, RecordTypes.COMPENSATION, UUID.randomUUID(), 1));
    for (Row created : rows) {
      assertThat(commit(new Insert(created))).isInstanceOf(Committed.class);
      Row changed = next(created);
      assertThat(commit(new Update(created, changed))).isInstanceOf(Committed.class);
      boolean removed = created.type().removal() == RecordType.Removal.BY_BATCH;
      if (removed) {
        assertThat(commit(new Delete(changed))).isInstanceOf(Committed.class);
      }
      assertThat(
              query(
                  "SELECT a.revtype || ' ' || r.actor FROM "
                      + created.type().name()
                      + "_aud a JOIN revision r ON r.rev = a.rev ORDER BY a.rev"))
          .as(created.type().name())
          .startsWith("0 tester", "1 operator")
          .hasSize(removed ? 3 : 2)
          .allMatch(change -> removed || !change.startsWith("2"));
    }
  }

  @Test
  @DisplayName("C063: what is read through Hibernate and not changed leaves no revision")
  void whatIsReadAndNotChangedLeavesNoRevision() throws SQLException {
    List<Row> rows =
        List.of(
            execution(TENANT),
            row(TENANT, RecordTypes.DEFINITION, "order", 1),
            row(TENANT, RecordTypes.SCHEDULE, "nightly"),
            row(TENANT, RecordTypes.COMPENSATION, UUID.randomUUID(), 1));
    for (Row row : rows) {
      assertThat(commit(new Insert(row))).isInstanceOf(Committed.class);
    }
    long before = count("revision");
    assertThat(before).isEqualTo(rows.size());

    int loaded =
        inSession(
            TENANT,
            session -> {
              int found = 0;
              session.beginTransaction();
              for (String entity :
                  List.of(
                      "WorkflowExecution",
                      "WorkflowDefinition",
                      "Schedule",
                      "CompensationRecord")) {
                found += session.createQuery("from " + entity, RecordEntity.class).list().size();
              }
              session.getTransaction().commit();
              return found;
            });

    assertThat(loaded).isEqualTo(rows.size());
    assertThat(count("revision")).isEqualTo(before);
    for (Row row : rows) {
      assertThat(read(TENANT, row)).contains(row);
    }
  }

  @Test
  void oneCommitIsOneRevisionHoweverManyRecordsItChanges() throws SQLException {
    assertThat(commit(new Insert(execution(TENANT)), new Insert(unlike(execution(TENANT)))))
        .isInstanceOf(Committed.class);
    assertThat(count("execution_aud")).isEqualTo(2);
    assertThat(count("revision")).isEqualTo(1);
  }

  /** Another workflow, whose name is free. */
  private static Row unlike(Row execution) {
    return execution.with("liveWorkflowId", id(execution).toString());
  }

  @Test
  void aRefusedChangeLeavesNone() throws SQLException {
    Row created = execution(TENANT);
    assertThat(commit(new Insert(created))).isInstanceOf(Committed.class);
    Row running = next(created).with("status", "RUNNING");
    assertThat(commit(new Update(created, running))).isInstanceOf(Committed.class);

    assertThat(commit(new Update(created, running))).isInstanceOf(Conflict.class);
    assertThat(commit(new Insert(created))).isInstanceOf(Conflict.class);
    Row late = unlike(execution(TENANT));
    assertThat(commit(new Insert(event(TENANT, id(late), 1)))).isInstanceOf(Committed.class);
    assertThat(commit(new Insert(late), new Insert(event(TENANT, id(late), 1))))
        .as("what fails comes after the execution is written")
        .isInstanceOf(Conflict.class);

    assertThat(count("execution_aud")).isEqualTo(2);
    assertThat(count("revision")).isEqualTo(2);
  }

  @Test
  void payloadsStayOutOfIt() throws SQLException {
    Row created = execution(TENANT);
    Row given = created.with("input", event(TENANT, id(created), 1).get("payload"));
    assertThat(commit(new Insert(given))).isInstanceOf(Committed.class);
    assertThat(query("SELECT count(*) FROM execution WHERE input IS NOT NULL"))
        .containsExactly("1");
    assertThat(columns("execution_aud")).contains("status").doesNotContain("input", "outcome");
  }

  /** Names of a table's columns. */
  protected abstract List<String> columns(String table) throws SQLException;

  @Test
  void revisionsAreNumberedInTheOrderOfTheChanges() throws SQLException {
    Row current = execution(TENANT);
    assertThat(commit(new Insert(current))).isInstanceOf(Committed.class);
    List<String> statuses = new ArrayList<>(List.of("x"));
    for (int i = 0; i < 5; i++) {
      Row after = next(current).with("status", "s" + i);
      statuses.add("s" + i);
      assertThat(commit(new Update(current, after))).isInstanceOf(Committed.class);
      current = after;
    }
    assertThat(query("SELECT status FROM execution_aud ORDER BY rev")).isEqualTo(statuses);
  }

  private static Row by(String actor, Row row) {
    return row.with(row.header().next(row.header().updatedAt(), actor));
  }

  private CommitOutcome commitFrom(String client, Mutation mutation) {
    Batch batch = batch(mutation);
    return storage()
        .commit(
            new Batch(
                batch.commitId(),
                batch.epoch(),
                batch.scope(),
                batch.witness(),
                batch.mutations(),
                batch.checks(),
                Optional.of(client)),
            deadline());
  }

  private List<String> whoAndFromWhere(ColumnEncryption encryption) throws SQLException {
    return inSession(
        TENANT,
        session -> {
          try (RevisionContext reading = RevisionContext.reading(encryption)) {
            return session
                .createQuery("from Revision order by rev", RevisionEntity.class)
                .list()
                .stream()
                .map(revision -> revision.actor() + " from " + revision.client().orElse("?"))
                .toList();
          }
        });
  }

  @Test
  @DisplayName("C064: who changed a record and from where is sealed; older revisions stay readable")
  void whoChangedARecordAndFromWhereIsSealed() throws SQLException {
    EnvelopeSealing sealing = EnvelopeSealing.with(new PlainKeys());
    Row first = execution(TENANT);
    assertThat(commitFrom("192.0.2.1", new Insert(first))).isInstanceOf(Committed.class);
    storage().useSealing(sealing);
    Row second = by("c4n4ry-actor", first);
    Row third = by("c4n4ry-actor", second);
    assertThat(commitFrom("c4n4ry-client", new Update(first, second)))
        .isInstanceOf(Committed.class);
    assertThat(commit(new Update(second, third))).isInstanceOf(Committed.class);

    assertThat(
            query(
                "SELECT '[' || actor || '] ' || coalesce(client, '-') || ' '"
                    + " || CASE WHEN sealed_actor IS NULL THEN 'clear' ELSE 'sealed' END || ' '"
                    + " || CASE WHEN sealed_client IS NULL THEN 'clear' ELSE 'sealed' END"
                    + " FROM revision ORDER BY rev"))
        .containsExactly(
            "[tester] 192.0.2.1 clear clear", "[] - sealed sealed", "[] - sealed clear");
    List<String> raw =
        query(
            "SELECT "
                + hexText("sealed_actor")
                + " || ' ' || coalesce("
                + hexText("sealed_client")
                + ", '') FROM revision WHERE sealed_actor IS NOT NULL ORDER BY rev");
    String canary = HexFormat.of().formatHex("c4n4ry".getBytes(StandardCharsets.UTF_8));
    assertThat(raw).hasSize(2).doesNotHaveDuplicates().noneMatch(text -> text.contains(canary));

    assertThat(whoAndFromWhere(ColumnEncryption.with(sealing, () -> TENANT)))
        .containsExactly(
            "tester from 192.0.2.1", "c4n4ry-actor from c4n4ry-client", "c4n4ry-actor from ?");
    assertThatThrownBy(() -> whoAndFromWhere(ColumnEncryption.with(sealing, () -> "rival")))
        .as("under another tenant's keys")
        .hasRootCauseInstanceOf(UnknownKey.class)
        .hasMessageNotContaining("c4n4ry");
  }

  @Test
  void nothingIsWrittenWhenTheRevisionCannotBeSealed() throws SQLException {
    PlainKeys keys = new PlainKeys();
    storage().useSealing(EnvelopeSealing.with(keys));
    keys.lose();
    Row created = execution(TENANT);
    assertThatThrownBy(() -> commit(new Insert(created))).isInstanceOf(Unavailable.class);
    assertThat(read(TENANT, created)).isEmpty();
    assertThat(count("revision")).isZero();
    keys.find();
    assertThat(commit(new Insert(created))).isInstanceOf(Committed.class);
    assertThat(count("revision")).isEqualTo(1);
  }

  @Test
  void besideEverySealedValueThatIsSearchedAColumnIsReservedForABlindIndex() throws SQLException {
    List<String> sealed = new ArrayList<>();
    for (Field field : RevisionEntity.class.getDeclaredFields()) {
      Convert convert = field.getAnnotation(Convert.class);
      if (convert != null && EncryptedColumn.class.isAssignableFrom(convert.converter())) {
        sealed.add(field.getAnnotation(Column.class).name());
      }
    }
    assertThat(sealed).containsExactly("sealed_actor", "sealed_client");
    assertThat(columns("revision"))
        .containsAll(sealed.stream().map(column -> column + "_index").toList());
  }

  /** Wraps keys in nothing; they can be lost. */
  private static final class PlainKeys implements KeyProvider {
    private volatile boolean lost;

    void lose() {
      lost = true;
    }

    void find() {
      lost = false;
    }

    @Override
    public String name() {
      return "plain";
    }

    @Override
    public String location() {
      return "nowhere";
    }

    @Override
    public void prepare(boolean storeIsNew) {
      requireFound();
    }

    @Override
    public Wrapped wrap(Bytes dataKey, Place place) {
      requireFound();
      return new Wrapped("plain-1", dataKey);
    }

    @Override
    public Bytes unwrap(Wrapped wrapped, Place place) {
      requireFound();
      return wrapped.bytes();
    }

    private void requireFound() {
      if (lost) {
        throw new Unavailable("the keys cannot be had now", null);
      }
    }
  }

  @Test
  @DisplayName("C074: nothing of a commit stays on its thread, be it committed, refused or broken")
  void nothingOfACommitStaysOnItsThread() throws SQLException {
    Row created = execution(TENANT);
    Row late = unlike(execution(TENANT));
    Batch broken =
        batch(new Insert(unlike(execution(TENANT))), new Insert(event(TENANT, id(late), 0)));
    List<Runnable> calls =
        List.of(
            () -> commit(new Insert(created)),
            () -> commit(new Insert(created)),
            () -> commit(new Update(created, next(created).with("status", "RUNNING"))),
            () ->
                assertThatThrownBy(() -> storage().commit(broken, deadline()))
                    .as("no event has the number 0")
                    .isInstanceOf(Rejected.class));
    for (Runnable call : calls) {
      call.run();
      assertThatThrownBy(() -> new RevisionContext().newRevision(new Object()))
          .as("a revision that belongs to no commit")
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("by commits only");
    }
    assertThat(history()).containsExactly("0 x tester acme acme", "1 RUNNING operator acme acme");
  }

  @Test
  @DisplayName("C102: every write of Hibernate's raises the version, and a stale one is refused")
  void everyWriteRaisesTheVersion() {
    Row first = execution(TENANT);
    assertThat(commit(new Insert(first))).isInstanceOf(Committed.class);
    assertThat(stored(first).version()).isEqualTo(first.version());
    Row second = next(first).with("status", "RUNNING");
    assertThat(commit(new Update(first, second))).isInstanceOf(Committed.class);
    assertThat(stored(first).version()).isEqualTo(first.version() + 1);

    Row stale =
        first.with(first.header().next(first.header().updatedAt(), "late")).with("status", "LATE");
    assertThat(commit(new Update(first, stale))).isInstanceOf(Conflict.class);

    Row kept = stored(first);
    assertThat(kept.version()).isEqualTo(first.version() + 1);
    assertThat(kept.get("status")).isEqualTo("RUNNING");
    assertThat(kept.header().updatedBy()).isEqualTo("operator");
    assertThat(kept.header().updatedAt()).isEqualTo(second.header().updatedAt());
  }

  private Row stored(Row row) {
    return read(TENANT, row).orElseThrow();
  }

  private Optional<Row> read(String tenant, Row row) {
    return storage()
        .read(Scope.tenant(tenant), List.of(row.key()), ReadOptions.strong(deadline()))
        .get(0);
  }

  @Test
  @DisplayName("C067: what one tenant has loaded is not there for another, by whatever way it asks")
  void nothingLoadedByOneTenantIsThereForAnother() {
    Row theirs = execution(TENANT).with("liveWorkflowId", "live");
    assertThat(commit(new Insert(theirs))).isInstanceOf(Committed.class);
    Scope rival = Scope.tenant("rival");
    ReadOptions strong = ReadOptions.strong(deadline());
    Scan all = Scan.byKey(RecordTypes.EXECUTION, List.of(), 10);
    for (int i = 0; i < 3; i++) {
      assertThat(read(TENANT, theirs)).contains(theirs);
      assertThat(storage().scan(Scope.tenant(TENANT), all, strong).items()).containsExactly(theirs);
      assertThat(unique(Scope.tenant(TENANT))).contains(theirs);
      assertThat(read("rival", theirs)).isEmpty();
      assertThat(storage().scan(rival, all, strong).items()).isEmpty();
      assertThat(unique(rival)).isEmpty();
    }
  }

  private Optional<Row> unique(Scope scope) {
    return storage()
        .readUnique(
            scope,
            RecordTypes.EXECUTION,
            "live_workflow",
            List.of("live"),
            ReadOptions.strong(deadline()));
  }
}
