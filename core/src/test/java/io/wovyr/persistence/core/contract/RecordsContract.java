/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.audit.AuditOutcome;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.checkpoint.CheckpointKind;
import io.wovyr.persistence.checkpoint.CheckpointMark;
import io.wovyr.persistence.checkpoint.CheckpointOrigin;
import io.wovyr.persistence.checkpoint.CheckpointValidity;
import io.wovyr.persistence.checkpoint.WorkflowCheckpoint;
import io.wovyr.persistence.core.ClockedPersistence;
import io.wovyr.persistence.definition.DefinitionStatus;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.NamedLease;
import io.wovyr.persistence.metrics.MetricsSnapshot;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.secret.SecretRecord;
import io.wovyr.persistence.secret.SecretRef;
import io.wovyr.persistence.secret.Secrets;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Audit log, secrets, checkpoints' manifests and metrics snapshots. */
public abstract class RecordsContract extends RepositoryContract {
  private static final Instant LONG_AGO = Instant.parse("1999-01-01T00:00:00Z");
  private static final Instant FAR = Instant.parse("2999-01-01T00:00:00Z");
  private static final Scope.System SYSTEM = new Scope.System("contract");

  protected RecordsContract(TestStore.Factory stores) {
    super(stores);
  }

  /** Those that other tests took lie in the future of this one. */
  @BeforeEach
  final void removeSamples() {
    var metrics = node().persistence().system("contract").metrics();
    while (metrics.removeBefore("storage", FAR, 1_000) > 0) {
      // All of them.
    }
  }

  private Repositories as(Role... roles) {
    return node().persistence().as(Caller.of(tenant(), "somebody", roles));
  }

  // The audit log.

  @Test
  void anAuditRecordIsWrittenWithWhatItTellsOfOrNotAtAll() {
    Lease lease = running(newExecution().id());
    UUID id = lease.executionId();
    NewAuditRecord approved =
        NewAuditRecord.done("order.approved", "execution", id.toString())
            .withDetails(Payload.text("by Ann, limit 500"));
    AuditRecord written =
        only(
            committed(
                repositories()
                    .unitOfWork()
                    .append(id, Append.next(lease), event("Approved"))
                    .with(repositories().audit().record(approved))
                    .commit()),
            AuditRecord.class);
    conflict(
        repositories()
            .unitOfWork()
            .append(id, Append.after(lease, 1), event("Late"))
            .with(repositories().audit().record(approved))
            .commit(),
        Reason.WRONG_SEQUENCE);

    Repositories auditor = as(Role.AUDITOR);
    assertThat(auditor.audit().find(written.id())).contains(written);
    assertThat(auditor.audit().details(written)).contains(Payload.text("by Ann, limit 500"));
    assertThat(written.actor()).isEqualTo("contract");
    assertThat(auditor.audit().about("execution", id.toString(), 10, Optional.empty()).items())
        .containsExactly(written);
    assertThat(auditor.audit().list(LONG_AGO, FAR, 10, Optional.empty()).items())
        .containsExactly(written);
    assertThat(
            auditor.audit().list(LONG_AGO, LONG_AGO.plusSeconds(1), 10, Optional.empty()).items())
        .isEmpty();
  }

  @Test
  void auditRecordsNeitherChangeNorShowToOthers() {
    AuditRecord written =
        only(
            committed(
                repositories()
                    .audit()
                    .append(NewAuditRecord.denied("secret.open", "secret", "card@1"))),
            AuditRecord.class);
    assertThat(written.outcome()).isEqualTo(AuditOutcome.DENIED);
    assertThatThrownBy(() -> repositories().unitOfWork().update(written, written))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> repositories().unitOfWork().delete(written))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> repositories().audit().find(written.id()))
        .isInstanceOf(AccessDenied.class)
        .hasMessageContaining("AUDITOR");
    var elsewhere =
        node().persistence().as(Caller.of(tenant() + "-other", "auditor", Role.AUDITOR));
    assertThat(elsewhere.audit().find(written.id())).isEmpty();
    assertThat(elsewhere.audit().list(LONG_AGO, FAR, 10, Optional.empty()).items()).isEmpty();
  }

  // Secrets.

  /** Its reference is name and version with an @ between them. */
  @Test
  void aSecretWithAnAtInItsNameIsRefused() {
    assertThatThrownBy(
            () -> as(Role.SECURITY_OFFICER).secrets().put("card@api", Payload.text("s3cret")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("'@'")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void aSecretOpensForWhoMayAndEveryOpeningIsAudited() {
    Repositories officer = as(Role.SECURITY_OFFICER);
    SecretRecord stored =
        only(
            committed(officer.secrets().put("card-api", Payload.text("s3cret"))),
            SecretRecord.class);
    assertThat(stored.ref()).isEqualTo(new SecretRef("card-api", 1));
    committed(officer.secrets().put("card-api", Payload.text("s3cret-2")));

    assertThat(officer.secrets().open(stored.ref())).isEqualTo(Payload.text("s3cret"));
    assertThat(officer.secrets().latest("card-api").orElseThrow().version()).isEqualTo(2);
    assertThat(as(Role.ADMIN).secrets().list(10, Optional.empty()).items())
        .containsExactly(new SecretRef("card-api", 1), new SecretRef("card-api", 2));
    assertThatThrownBy(() -> repositories().secrets().open(stored.ref()))
        .isInstanceOf(AccessDenied.class)
        .hasMessageNotContaining("s3cret");

    List<AuditRecord> audited =
        as(Role.AUDITOR).audit().about("secret", "card-api@1", 10, Optional.empty()).items();
    assertThat(audited)
        .extracting(AuditRecord::action)
        .containsExactly("secret.put", "secret.open", "secret.open");
    assertThat(audited)
        .extracting(AuditRecord::outcome)
        .containsExactly(AuditOutcome.DONE, AuditOutcome.DONE, AuditOutcome.DENIED);
  }

  @Test
  void aSecretsNameIsAsLongAsItsAuditRecordsAllow() {
    Repositories officer = as(Role.SECURITY_OFFICER);
    String longest = "k".repeat(SecretRef.MAX_NAME);
    committed(officer.secrets().put(longest, Payload.text("s3cret")));
    SecretRef stored = officer.secrets().latest(longest).orElseThrow();
    assertThat(officer.secrets().open(stored)).isEqualTo(Payload.text("s3cret"));
    assertThat(new SecretRef(longest, Integer.MAX_VALUE).name() + "@" + Integer.MAX_VALUE)
        .hasSize(255);
    assertThatThrownBy(() -> officer.secrets().put(longest + "k", Payload.text("s3cret")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("secret name")
        .hasMessageContaining("244");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\nb", "\ud83d", "LONG"})
  void whoMayNotStoreASecretIsRefusedAndThatIsAuditedWhateverItsName(String name) {
    Repositories writer = as(Role.WRITER);
    String asked = name.equals("LONG") ? "k".repeat(300) : name;
    assertThatThrownBy(() -> writer.secrets().put(asked, Payload.text("s3cret")))
        .isInstanceOf(AccessDenied.class);
    List<AuditRecord> audited =
        as(Role.AUDITOR).audit().list(Instant.EPOCH, Instant.MAX, 10, Optional.empty()).items();
    assertThat(audited).extracting(AuditRecord::action).containsExactly("secret.put");
    assertThat(audited).extracting(AuditRecord::outcome).containsExactly(AuditOutcome.DENIED);
    assertThat(audited).extracting(AuditRecord::subjectId).containsExactly("(no name)");
  }

  @ParameterizedTest
  @EnumSource(Unreadable.class)
  @DisplayName("C032: the latest secret is never guessed past one that cannot be read")
  void theNextVersionOfASecretComesAfterOneThatCannotBeReadHere(Unreadable how) {
    Secrets secrets = as(Role.SECURITY_OFFICER).secrets();
    committed(secrets.put("card-api", Payload.text("one")));
    committed(secrets.put("card-api", Payload.text("two")));
    Key two = Key.of(RecordTypes.SECRET, "card-api", 2);
    rawSpoil(two, how);
    how.refuses(() -> secrets.latest("card-api"), two);
    assertThat(secrets.list(10, Optional.empty()).items())
        .containsExactly(new SecretRef("card-api", 1));

    committed(secrets.put("card-api", Payload.text("three")));
    assertThat(secrets.latest("card-api")).contains(new SecretRef("card-api", 3));
    committed(secrets.revoke(new SecretRef("card-api", 3)));
    how.refuses(() -> secrets.latest("card-api"), two);
  }

  private static Row ofANewerNode(Row row) {
    RecordHeader old = row.header();
    RecordHeader newer =
        new RecordHeader(
            old.id(),
            old.tenantId(),
            old.version() + 1,
            old.createdAt(),
            old.updatedAt(),
            "newer-node",
            old.schemaVersion(),
            old.entityVersion() + 1,
            old.serializationVersion(),
            Bytes.EMPTY);
    return row.with(newer);
  }

  @ParameterizedTest
  @EnumSource(Unreadable.class)
  @DisplayName("C032: the latest definition is never guessed past one that cannot be read")
  void theNextVersionOfADefinitionComesAfterOneThatCannotBeReadHere(Unreadable how) {
    var definitions = repositories().definitions();
    committed(definitions.add(NewDefinition.of("order", Payload.text("one"))));
    committed(definitions.add(NewDefinition.of("order", Payload.text("two"))));
    Key two = Key.of(RecordTypes.DEFINITION, "order", 2);
    rawSpoil(two, how);
    how.refuses(() -> definitions.latest("order"), two);
    assertThat(definitions.versions("order", 10, Optional.empty()).items())
        .extracting(WorkflowDefinition::definitionVersion)
        .containsExactly(1);

    committed(definitions.add(NewDefinition.of("order", Payload.text("three"))));
    WorkflowDefinition three = definitions.latest("order").orElseThrow();
    assertThat(three.definitionVersion()).isEqualTo(3);
    committed(definitions.move(three, DefinitionStatus.ARCHIVED));
    how.refuses(() -> definitions.latest("order"), two);
  }

  @Test
  void thereIsNoVersionAfterTheHighest() {
    var definitions = repositories().definitions();
    committed(
        definitions.add(
            NewDefinition.of("order", Payload.text("one")).withVersion(Integer.MAX_VALUE)));
    assertThatThrownBy(() -> definitions.add(NewDefinition.of("order", Payload.text("two"))))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("order", "2147483647");
    assertThat(definitions.versions("order", 10, Optional.empty()).items()).hasSize(1);

    Secrets secrets = as(Role.SECURITY_OFFICER).secrets();
    committed(secrets.put("card-api", Payload.text("one")));
    rawCopy(
        Key.of(RecordTypes.SECRET, "card-api", 1),
        Key.of(RecordTypes.SECRET, "card-api", Integer.MAX_VALUE));
    assertThatThrownBy(() -> secrets.put("card-api", Payload.text("two")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("card-api", "2147483647");
    assertThat(secrets.list(10, Optional.empty()).items()).hasSize(2);
  }

  @Test
  void aRevokedSecretIsGone() {
    Repositories officer = as(Role.SECURITY_OFFICER);
    committed(officer.secrets().put("key", Payload.text("old")));
    SecretRef ref = new SecretRef("key", 1);
    SecretRecord revoked = only(committed(officer.secrets().revoke(ref)), SecretRecord.class);
    assertThat(revoked.value()).isEmpty();
    assertThatThrownBy(() -> officer.secrets().open(ref))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("revoked");
    assertThat(officer.secrets().latest("key")).isEmpty();
    committed(officer.secrets().put("key", Payload.text("new")));
    assertThat(officer.secrets().open(new SecretRef("key", 2))).isEqualTo(Payload.text("new"));
  }

  // Checkpoints.

  private static WorkflowCheckpoint manifest(
      UUID executionId, long cursor, int generation, CheckpointKind kind) {
    return manifest(executionId, cursor, generation, kind, FAR);
  }

  private static WorkflowCheckpoint manifest(
      UUID executionId, long cursor, int generation, CheckpointKind kind, Instant expiresAt) {
    return new WorkflowCheckpoint(
        RecordHeader.unsaved(),
        executionId,
        UUID.randomUUID(),
        "order-1",
        1,
        Optional.of("sha-256:" + "ab".repeat(32)),
        1,
        kind,
        CheckpointOrigin.AUTOMATIC,
        "activity-completed",
        cursor,
        generation,
        Optional.empty(),
        0,
        "worker-1",
        1,
        1,
        Bytes.copyOf(new byte[32]),
        "RUNNING",
        List.of("charge"),
        2,
        3,
        1,
        0,
        Optional.of("worker-1"),
        List.of("why=test"),
        false,
        Optional.of(expiresAt),
        "cbor",
        "zstd",
        1,
        Optional.of("key-1"),
        "filesystem",
        "acme/1.wcp",
        100,
        400,
        Bytes.copyOf(new byte[32]),
        Optional.empty());
  }

  private WorkflowCheckpoint saved(WorkflowCheckpoint manifest) {
    return only(
        committed(
            repositories().unitOfWork().with(repositories().checkpoints().add(manifest)).commit()),
        WorkflowCheckpoint.class);
  }

  @Test
  void aManifestWithATimeThatNoStoreKeepsIsRefused() {
    UUID id = newExecution().id();
    for (Instant never : List.of(Instant.MIN, Instant.MAX)) {
      assertThatThrownBy(() -> saved(manifest(id, 5, 1, CheckpointKind.FULL, never)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("expiresAt lies in the years 1 to 9999");
    }
    assertThat(repositories().checkpoints().latest(id)).isEmpty();
  }

  @Test
  void theLatestCheckpointIsTheNewestValidOne() {
    UUID id = newExecution().id();
    var checkpoints = repositories().checkpoints();
    assertThat(checkpoints.latest(id)).isEmpty();
    WorkflowCheckpoint five = saved(manifest(id, 5, 1, CheckpointKind.FULL));
    WorkflowCheckpoint nine = saved(manifest(id, 9, 1, CheckpointKind.INCREMENTAL));
    WorkflowCheckpoint nineFull = saved(manifest(id, 9, 1, CheckpointKind.FULL));
    saved(manifest(id, 2, 1, CheckpointKind.FULL));

    assertThat(checkpoints.find(five.checkpointId())).contains(five);
    assertThat(checkpoints.latest(id)).contains(nineFull);
    committed(checkpoints.invalidate(nineFull, "digest does not match"));
    assertThat(checkpoints.latest(id)).contains(nine);
    committed(checkpoints.invalidate(nine, "digest does not match"));
    assertThat(checkpoints.latest(id)).contains(five);
    WorkflowCheckpoint again = saved(manifest(id, 9, 2, CheckpointKind.FULL));
    assertThat(checkpoints.latest(id)).contains(again);
    assertThat(checkpoints.list(id, 10, Optional.empty()).items()).hasSize(5);
  }

  @Test
  void aCheckpointIsThereOnceAndNeverChanges() {
    UUID id = newExecution().id();
    WorkflowCheckpoint first = saved(manifest(id, 5, 1, CheckpointKind.FULL));
    CommitResult second =
        repositories()
            .unitOfWork()
            .with(repositories().checkpoints().add(manifest(id, 5, 1, CheckpointKind.FULL)))
            .commit();
    conflict(second, Reason.ALREADY_EXISTS);
    assertThatThrownBy(() -> repositories().unitOfWork().update(first, first))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void aPinIsKeptBesideTheManifest() {
    UUID id = newExecution().id();
    WorkflowCheckpoint saved = saved(manifest(id, 5, 1, CheckpointKind.FULL));
    var checkpoints = repositories().checkpoints();
    committed(checkpoints.pin(saved, "audit 2026"));
    var mark = checkpoints.mark(id, saved.checkpointId()).orElseThrow();
    assertThat(mark.pinnedBy()).contains("contract");
    assertThat(mark.validity()).isEqualTo(CheckpointValidity.VALID);
    committed(checkpoints.invalidate(saved, "torn"));
    committed(checkpoints.unpin(saved));
    mark = checkpoints.mark(id, saved.checkpointId()).orElseThrow();
    assertThat(mark.pinnedBy()).isEmpty();
    assertThat(mark.validity()).isEqualTo(CheckpointValidity.INVALID);
    assertThat(checkpoints.find(saved.checkpointId())).contains(saved);
  }

  @Test
  void whyACheckpointIsInvalidOrWantedIsToldByItsMark() {
    UUID id = newExecution().id();
    WorkflowCheckpoint saved = saved(manifest(id, 5, 1, CheckpointKind.FULL));
    var checkpoints = repositories().checkpoints();
    committed(checkpoints.pin(saved, "audit 2026"));
    CheckpointMark pinned = checkpoints.mark(id, saved.checkpointId()).orElseThrow();
    assertThat(checkpoints.pinReason(pinned)).contains("audit 2026");
    assertThat(checkpoints.reason(pinned)).isEmpty();
    committed(checkpoints.invalidate(saved, "torn: Zürich \uD83D\uDE80"));
    CheckpointMark both = checkpoints.mark(id, saved.checkpointId()).orElseThrow();
    assertThat(checkpoints.pinReason(both)).contains("audit 2026");
    assertThat(checkpoints.reason(both)).contains("torn: Zürich \uD83D\uDE80");
    Row stored = rawRow(Key.of(RecordTypes.CHECKPOINT_MARK, id, saved.checkpointId()));
    assertThat(stored.get("reason")).as("in clear").isNull();
    assertThat(stored.get("pinReason")).as("in clear").isNull();
    committed(checkpoints.unpin(saved));
    CheckpointMark unpinned = checkpoints.mark(id, saved.checkpointId()).orElseThrow();
    assertThat(checkpoints.pinReason(unpinned)).isEmpty();
    assertThat(checkpoints.reason(unpinned)).contains("torn: Zürich \uD83D\uDE80");

    Repositories rival =
        node().persistence().as(Caller.of("rival-of-" + tenant(), "somebody", Role.values()));
    assertThatThrownBy(() -> rival.checkpoints().reason(both)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> checkpoints.pin(saved, "two\nlines"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageNotContaining("lines");
    assertThatThrownBy(() -> checkpoints.invalidate(saved, "x".repeat(512)))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void aMarkWhoseReasonCannotBeOpenedIsReadAndGivenANewOne() {
    UUID id = newExecution().id();
    WorkflowCheckpoint saved = saved(manifest(id, 5, 1, CheckpointKind.FULL));
    var checkpoints = repositories().checkpoints();
    committed(checkpoints.pin(saved, "audit 2026"));
    rawReplace(
        Key.of(RecordTypes.CHECKPOINT_MARK, id, saved.checkpointId()),
        "sealedPinReason",
        RepositoryContract::underALostKey);
    CheckpointMark unreadable = checkpoints.mark(id, saved.checkpointId()).orElseThrow();
    assertThat(unreadable.pinnedBy()).contains("contract");
    assertThatThrownBy(() -> checkpoints.pinReason(unreadable)).isInstanceOf(UnknownKey.class);
    committed(checkpoints.invalidate(saved, "torn"));
    committed(checkpoints.pin(saved, "audit 2027"));
    CheckpointMark again = checkpoints.mark(id, saved.checkpointId()).orElseThrow();
    assertThat(checkpoints.pinReason(again)).contains("audit 2027");
    assertThat(checkpoints.reason(again)).contains("torn");
  }

  @Test
  void aMarkFromBeforeReasonsWereSealedTellsThemAndSealsThemWhenItChanges() {
    UUID id = newExecution().id();
    WorkflowCheckpoint saved = saved(manifest(id, 5, 1, CheckpointKind.FULL));
    var checkpoints = repositories().checkpoints();
    committed(checkpoints.pin(saved, "new"));
    Key key = Key.of(RecordTypes.CHECKPOINT_MARK, id, saved.checkpointId());
    asOfEntityVersionOne(key, "torn", "audit 2026");

    CheckpointMark older = checkpoints.mark(id, saved.checkpointId()).orElseThrow();
    assertThat(checkpoints.reason(older)).contains("torn");
    assertThat(checkpoints.pinReason(older)).contains("audit 2026");
    committed(checkpoints.pin(saved, "audit 2027"));
    Row changed = rawRow(key);
    assertThat(changed.header().entityVersion()).isEqualTo(2);
    assertThat(changed.get("reason")).as("in clear").isNull();
    assertThat(changed.get("pinReason")).as("in clear").isNull();
    CheckpointMark newer = checkpoints.mark(id, saved.checkpointId()).orElseThrow();
    assertThat(checkpoints.reason(newer)).contains("torn");
    assertThat(checkpoints.pinReason(newer)).contains("audit 2027");
  }

  /** The mark as a node of the version before would have written it. */
  private void asOfEntityVersionOne(Key key, String reason, String pinReason) {
    Row row = rawRow(key);
    RecordHeader now = row.header();
    Row older =
        row.with("sealedReason", null)
            .with("sealedPinReason", null)
            .with("reason", reason)
            .with("pinReason", pinReason);
    RecordHeader header =
        new RecordHeader(
            now.id(),
            now.tenantId(),
            now.version() + 1,
            now.createdAt(),
            now.updatedAt(),
            now.updatedBy(),
            now.schemaVersion(),
            1,
            now.serializationVersion(),
            now.extra());
    rawCommit(new Mutation.Update(row, older.with(header)));
  }

  // Metrics.

  @Test
  void samplesKeepTheirNumbersExactly() {
    var metrics = node().persistence().system("contract").metrics();
    String source = "source-" + UUID.randomUUID();
    MetricsSnapshot one =
        only(
            committed(
                metrics.add(
                    source, Map.of("b", 9_007_199_254_740_993L, "a", new BigDecimal("0.10")))),
            MetricsSnapshot.class);
    assertThat(one.readings()).containsExactly("a=0.10", "b=9007199254740993");
    assertThat(metrics.list(source, LONG_AGO, FAR, 10, Optional.empty()).items())
        .containsExactly(one);
    assertThatThrownBy(() -> metrics.add(source, Map.of("x", Double.NaN)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("x");
    assertThat(metrics.removeBefore(source, FAR, 10)).isEqualTo(1);
    assertThat(metrics.list(source, LONG_AGO, FAR, 10, Optional.empty()).items()).isEmpty();
  }

  @Test
  void theSamplerCountsRecords() {
    newExecution();
    var metrics = node().persistence().system("contract").metrics();
    MetricsSnapshot sample = only(committed(metrics.sample()), MetricsSnapshot.class);
    assertThat(sample.source()).isEqualTo("storage");
    assertThat(sample.readings()).anyMatch(reading -> reading.matches("histories\\.broken=\\d+"));
    if (!tellsSizesOfAllTenants()) {
      assertThat(sample.readings()).noneMatch(reading -> reading.matches("(records|bytes)\\..*"));
      return;
    }
    assertThat(sample.readings())
        .anyMatch(reading -> reading.matches("records\\.execution=\\d+"))
        .anyMatch(reading -> reading.matches("bytes\\.execution=[1-9]\\d*"))
        .anyMatch(reading -> reading.matches("bytes\\.workflow_event=[1-9]\\d*"));
  }

  /** False for a store whose tenants nobody can list. */
  protected boolean tellsSizesOfAllTenants() {
    return true;
  }

  @Test
  void nothingIsSampledByItselfUnlessTheSettingsSaySo() {
    assertThat(samplers()).isEmpty();
    newNode(Duration.ZERO, Map.of("wovyr.metrics.sample-every", "off"));
    assertThat(samplers()).isEmpty();
    for (String wrong : List.of("PT0.5S", "-PT1M", "often", "P18251D")) {
      assertThatThrownBy(() -> newNode(Duration.ZERO, Map.of("wovyr.metrics.sample-every", wrong)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("wovyr.metrics.sample-every");
    }
    assertThat(samplers()).isEmpty();
  }

  @Test
  void ofTheProcessesOneSamplesAtATimeAndOthersGoOnWhenItEnds() {
    Set<UUID> before = sampleIds();
    Node one = newNode(Duration.ZERO, Map.of("wovyr.metrics.sample-every", "PT1S"));
    Node other = newNode(Duration.ZERO, Map.of("wovyr.metrics.sample-every", "PT1S"));
    awaitAnotherSample();
    Optional<String> sampler = sampler();
    assertThat(sampler).isPresent();
    awaitAnotherSample();
    assertThat(sampler()).isEqualTo(sampler);
    one.close();
    awaitAnotherSample();
    other.close();
    assertThat(sampler()).isEmpty();
    assertThat(samplers()).as("threads").isEmpty();

    List<Instant> taken =
        storageSamples().stream()
            .filter(sample -> !before.contains(sample.id()))
            .map(MetricsSnapshot::takenAt)
            .toList();
    for (int i = 1; i < taken.size(); i++) {
      assertThat(Duration.between(taken.get(i - 1), taken.get(i)))
          .as("between samples %d and %d", i, i + 1)
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }
  }

  @Test
  void ofProcessesThatSampleAtTheSameMomentOneStoresItsSample() throws Exception {
    List<Node> nodes = IntStream.range(0, 6).mapToObj(i -> sampling("PT3H")).toList();
    Set<UUID> before = sampleIds();
    // So late that nobody leaves it to whoever has the lease any more.
    pass(Duration.ofHours(3).plusMinutes(2));

    Together.run(
        nodes.size(),
        i -> {
          ClockedPersistence.lookAtMetrics(nodes.get(i).persistence());
          return i;
        });

    assertThat(newSamples(before)).hasSize(1);
  }

  /** A node whose thread has looked, and found a sample that was just taken. */
  private Node sampling(String every) {
    committed(node().persistence().system("contract").metrics().sample());
    Node node = newNode(Duration.ZERO, Map.of("wovyr.metrics.sample-every", every));
    ClockedPersistence.lookAtMetrics(node.persistence());
    return node;
  }

  /** Longer than a lease may last, too. */
  @ParameterizedTest
  @ValueSource(strings = {"PT1H", "PT7H59M50S", "PT8H", "P3D"})
  void howeverSeldomItIsSampledWhenItsTimeHasCome(String every) {
    Node node = sampling(every);
    Set<UUID> before = sampleIds();
    Duration left = Duration.parse(every);
    Duration step = left.dividedBy(left.dividedBy(Duration.ofHours(2)) + 1);
    while (left.compareTo(step) > 0) {
      pass(step);
      ClockedPersistence.lookAtMetrics(node.persistence());
      left = left.minus(step);
      if (left.compareTo(step) > 0) {
        assertThat(sampleIds()).as("before its time").isSubsetOf(before);
      }
    }
    pass(step);
    ClockedPersistence.lookAtMetrics(node.persistence());
    ClockedPersistence.lookAtMetrics(node.persistence());
    assertThat(newSamples(before)).hasSize(1);
    Optional<String> sampler = sampler();
    assertThat(sampler).isPresent();
    for (Duration passed = Duration.ZERO; passed.compareTo(Duration.parse(every)) < 0; ) {
      pass(step);
      passed = passed.plus(step);
      ClockedPersistence.lookAtMetrics(node.persistence());
    }
    ClockedPersistence.lookAtMetrics(node.persistence());
    assertThat(newSamples(before)).hasSize(2);
    assertThat(sampler()).as("the lease was kept all the time").isEqualTo(sampler);
    node.close();
    assertThat(sampler()).isEmpty();
  }

  @Test
  void processesThatComeAndGoSampleAsOftenAsOneThatStays() {
    committed(node().persistence().system("contract").metrics().sample());
    Set<UUID> before = sampleIds();
    for (int hour = 1; hour <= 3; hour++) {
      pass(Duration.ofMinutes(30));
      comeAndGo();
      comeAndGo();
      assertThat(newSamples(before)).as("half an hour after the last").hasSize(hour - 1);
      pass(Duration.ofMinutes(31));
      comeAndGo();
      comeAndGo();
      assertThat(newSamples(before)).as("an hour after the last").hasSize(hour);
    }
  }

  /** Ends at once. */
  private void comeAndGo() {
    newNode(Duration.ZERO, Map.of("wovyr.metrics.sample-every", "PT1H")).close();
  }

  @Test
  void aSampleFromAClockThatIsFarAheadKeepsNobodyFromSampling() {
    Node node = sampling("PT1H");
    Node ahead = newNode(Duration.ofDays(30), Map.of("wovyr.metrics.sample-every", "PT1H"));
    ClockedPersistence.lookAtMetrics(ahead.persistence());
    ahead.close();
    Set<UUID> before = sampleIds();
    for (int hour = 1; hour <= 2; hour++) {
      pass(Duration.ofHours(1));
      ClockedPersistence.lookAtMetrics(node.persistence());
      ClockedPersistence.lookAtMetrics(node.persistence());
      assertThat(newSamples(before)).hasSize(hour);
    }
  }

  @ParameterizedTest
  @EnumSource(Unreadable.class)
  void aSampleThatCannotBeReadHereWasTakenAllTheSame(Unreadable how) {
    UUID id =
        only(
                committed(node().persistence().system("contract").metrics().sample()),
                MetricsSnapshot.class)
            .id();
    Key key = Key.of(RecordTypes.METRICS_SNAPSHOT, id);
    Row row = systemRow(key);
    Row spoiled = spoiled(row, how);
    systemCommit(new Mutation.Update(row, spoiled));
    try {
      Set<UUID> before = sampleIds();
      pass(Duration.ofMinutes(30));
      comeAndGo();
      assertThat(newSamples(before)).as("half an hour after it").isEmpty();
      pass(Duration.ofMinutes(31));
      comeAndGo();
      assertThat(newSamples(before)).as("an hour after it").hasSize(1);
      assertThat(node().persistence().system("contract").metrics().removeBefore("storage", FAR, 1))
          .as("it is in no other's way")
          .isEqualTo(1);
    } finally {
      systemCommit(new Mutation.Delete(spoiled));
    }
  }

  private Row systemRow(Key key) {
    return rawStorage()
        .read(SYSTEM, List.of(key), ReadOptions.strong(Deadline.after(SOON)))
        .get(0)
        .orElseThrow();
  }

  private void systemCommit(Mutation mutation) {
    Storage raw = rawStorage();
    Batch batch =
        new Batch(
            UUID.randomUUID(),
            raw.identity().epoch(),
            SYSTEM,
            Optional.empty(),
            List.of(mutation),
            List.of());
    assertThat(raw.commit(batch, Deadline.after(SOON))).isInstanceOf(CommitOutcome.Committed.class);
  }

  @Test
  void aSampleThatCannotBeReadHereKeepsNobodyFromSampling() {
    Node node = sampling("PT1H");
    List<Row> spoiled = new ArrayList<>();
    try {
      for (int hour = 1; hour <= 2; hour++) {
        Set<UUID> before = sampleIds();
        pass(Duration.ofHours(1));
        ClockedPersistence.lookAtMetrics(node.persistence());
        List<UUID> newest = newSamples(before);
        assertThat(newest).hasSize(1);
        Row row = systemRow(Key.of(RecordTypes.METRICS_SNAPSHOT, newest.get(0)));
        systemCommit(new Mutation.Update(row, ofANewerNode(row)));
        spoiled.add(ofANewerNode(row));
        assertThat(newSamples(before)).isEmpty();
        pass(Duration.ofHours(1));
        ClockedPersistence.lookAtMetrics(node.persistence());
        assertThat(newSamples(before)).hasSize(1);
      }
    } finally {
      spoiled.forEach(row -> systemCommit(new Mutation.Delete(row)));
    }
  }

  @Test
  void aSampleWhoseReadingsAreDamagedKeepsNobodyFromSampling() {
    Node node = sampling("PT1H");
    Set<UUID> before = sampleIds();
    pass(Duration.ofHours(1));
    ClockedPersistence.lookAtMetrics(node.persistence());
    Row row = systemRow(Key.of(RecordTypes.METRICS_SNAPSHOT, newSamples(before).get(0)));
    Row damaged =
        row.with("readings", List.of("sample.seconds=soon"))
            .with(row.header().next(row.header().updatedAt(), "past the library"));
    systemCommit(new Mutation.Update(row, damaged));
    try {
      Set<UUID> with = sampleIds();
      pass(Duration.ofHours(1));
      ClockedPersistence.lookAtMetrics(node.persistence());
      assertThat(newSamples(with)).hasSize(1);
    } finally {
      systemCommit(new Mutation.Delete(damaged));
    }
  }

  @Test
  void aLeaseThatAKilledProcessLeftStopsNobody() {
    var system = node().persistence().system("contract");
    committed(system.metrics().sample());
    var left = system.leases().acquireName("wovyr.metrics", "killed", Duration.ofHours(4));
    assertThat(left).isPresent();
    Set<UUID> before = sampleIds();

    pass(Duration.ofHours(1).plusSeconds(30));
    comeAndGo();
    assertThat(newSamples(before)).as("its holder may be about to").isEmpty();
    pass(Duration.ofSeconds(31));
    comeAndGo();
    comeAndGo();
    assertThat(newSamples(before)).hasSize(1);
    system.leases().release(left.orElseThrow());
  }

  @Test
  void whoSamplesNextLeavesTheStoreAloneForAHundredTimesWhatItTook() {
    var metrics = node().persistence().system("contract").metrics();
    committed(metrics.add("storage", Map.of("sample.seconds", 72)));
    Set<UUID> before = sampleIds();

    pass(Duration.ofMinutes(119));
    comeAndGo();
    assertThat(newSamples(before)).isEmpty();
    pass(Duration.ofMinutes(2));
    comeAndGo();
    assertThat(newSamples(before)).hasSize(1);
  }

  private Optional<String> sampler() {
    return node()
        .persistence()
        .system("contract")
        .leases()
        .findName("wovyr.metrics")
        .flatMap(NamedLease::owner);
  }

  private List<UUID> newSamples(Set<UUID> before) {
    return sampleIds().stream().filter(id -> !before.contains(id)).toList();
  }

  private Set<UUID> sampleIds() {
    return storageSamples().stream().map(MetricsSnapshot::id).collect(Collectors.toSet());
  }

  @Test
  void oldSamplesOfTheStoreAreRemovedAndThoseOfOthersStay() {
    var metrics = node().persistence().system("contract").metrics();
    String source = "source-" + UUID.randomUUID();
    committed(metrics.add(source, Map.of("a", 1)));
    UUID old = only(committed(metrics.sample()), MetricsSnapshot.class).id();
    pass(Duration.ofSeconds(5));
    newNode(
        Duration.ZERO, Map.of("wovyr.metrics.sample-every", "PT1S", "wovyr.metrics.keep", "PT2S"));

    Together.await(
        "removal",
        Duration.ofMinutes(3),
        () -> storageSamples().stream().noneMatch(sample -> sample.id().equals(old)));
    assertThat(metrics.list(source, LONG_AGO, FAR, 10, Optional.empty()).items()).hasSize(1);
  }

  private static List<Thread> samplers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("wovyr-metrics-"))
        .toList();
  }

  private List<MetricsSnapshot> storageSamples() {
    return node()
        .persistence()
        .system("contract")
        .metrics()
        .list("storage", LONG_AGO, FAR, 1_000, Optional.empty())
        .items();
  }

  private void awaitAnotherSample() {
    Set<UUID> before = sampleIds();
    Together.await(
        "a sample",
        Duration.ofMinutes(3),
        () -> storageSamples().stream().anyMatch(sample -> !before.contains(sample.id())));
  }
}
