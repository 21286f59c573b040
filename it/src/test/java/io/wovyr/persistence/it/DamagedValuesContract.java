/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.github.luben.zstd.Zstd;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.checkpoint.CheckpointMark;
import io.wovyr.persistence.checkpoint.CheckpointRecords;
import io.wovyr.persistence.checkpoint.WorkflowCheckpoint;
import io.wovyr.persistence.compensation.CompensationStatus;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.payload.StoredPayload.Body;
import io.wovyr.persistence.quarantine.QuarantineReason;
import io.wovyr.persistence.quarantine.QuarantinedRecord;
import io.wovyr.persistence.secret.SecretRef;
import io.wovyr.persistence.state.WorkflowState;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyStore;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.crypto.spec.SecretKeySpec;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever somebody who may write to the database, or a broken disk, did to a stored value: opening
 * it fails with the record, the data key and the reason, shows nothing of it, and nothing else
 * fails.
 */
abstract class DamagedValuesContract {
  private static final String CONTENT = "c4n4ry of a person";
  private static final String TENANT = "acme";
  private static final Map<String, String> ACCEPTING_CLEAR =
      Map.of("wovyr.sealing.unsealed", "accept");
  private static final DefinitionRef ORDER = DefinitionRef.of("order", 1);

  @TempDir Path directory;

  /** The store, sealed under {@link #keystore()}. */
  abstract Persistence open(Map<String, String> more);

  /** The store itself, past everything that core does. */
  abstract Storage raw();

  abstract Path keystore();

  /** As the owner of the tables, past rights and triggers. */
  abstract void sql(String table, String... statements) throws SQLException;

  /** Lets a table hold what its columns do not allow. */
  abstract void open(RecordType type) throws SQLException;

  /** As SQL, what is no value of this kind; empty where the table holds none whatever is done. */
  abstract Optional<String> damage(Kind kind, boolean nullable);

  /** As SQL, the value of a key. */
  abstract String literal(Object keyValue);

  private static Repositories as(Persistence persistence, String tenant) {
    return persistence.as(Caller.of(tenant, "somebody", Role.values()));
  }

  private static UUID created(Repositories work, UUID id) {
    work.executions()
        .create(NewExecution.of(ORDER).withId(id).withInput(Payload.text(CONTENT)))
        .orThrow();
    return id;
  }

  private UUID created() {
    try (Persistence persistence = open(Map.of())) {
      return created(as(persistence, TENANT), UUID.randomUUID());
    }
  }

  private static StoredPayload input(Storage raw, String tenant, UUID id) {
    return (StoredPayload) row(raw, tenant, Key.of(RecordTypes.EXECUTION, id)).get("input");
  }

  private static Row row(Storage raw, String tenant, Key key) {
    return raw.read(
            Scope.tenant(tenant),
            List.of(key),
            ReadOptions.strong(Deadline.after(Duration.ofSeconds(20))))
        .get(0)
        .orElseThrow();
  }

  /** Puts another row in place of one, as only somebody with rights on the tables can. */
  private static void change(Storage raw, String tenant, Key key, UnaryOperator<Row> change) {
    Row before = row(raw, tenant, key);
    RecordHeader next = before.header().next(before.header().updatedAt(), "intruder");
    Batch batch =
        new Batch(
            UUID.randomUUID(),
            raw.identity().epoch(),
            Scope.tenant(tenant),
            Optional.empty(),
            List.of(new Mutation.Update(before, change.apply(before.with(next)))),
            List.of());
    assertThat(raw.commit(batch, Deadline.after(Duration.ofSeconds(20))))
        .isInstanceOf(CommitOutcome.Committed.class);
  }

  private void changeInput(UUID id, UnaryOperator<StoredPayload> change) {
    try (Storage raw = raw()) {
      change(
          raw,
          TENANT,
          Key.of(RecordTypes.EXECUTION, id),
          row ->
              row.with("input", StoredPayload.keep(change.apply(input(raw, TENANT, id)).encode())));
    }
  }

  private static StoredPayload with(
      StoredPayload old, int sealing, int compression, long length, byte[] body) {
    return new StoredPayload(
        old.contentType(),
        sealing,
        compression,
        sealing == StoredPayload.UNSEALED ? Optional.empty() : old.keyId(),
        old.commitment(),
        length,
        new Body.Inline(Bytes.wrap(body)));
  }

  private static byte[] body(StoredPayload payload) {
    return ((Body.Inline) payload.body()).bytes().toByteArray();
  }

  private static StoredPayload withBody(StoredPayload old, byte[] body) {
    return with(old, old.sealing(), old.compression(), old.length(), body);
  }

  private static StoredPayload withBytes(StoredPayload old, UnaryOperator<byte[]> change) {
    return StoredPayload.keep(Bytes.wrap(change.apply(old.encode().toByteArray())));
  }

  /** What opening the input of an execution throws; it names the value and nothing of it. */
  private static PersistenceException opening(Persistence persistence, UUID id) {
    Repositories reader = as(persistence, TENANT);
    WorkflowExecution execution = reader.executions().find(id).orElseThrow();
    Throwable thrown = catchThrowable(() -> reader.executions().input(execution));
    assertThat(thrown).isInstanceOf(PersistenceException.class);
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      assertThat(String.valueOf(cause)).doesNotContain("c4n4ry");
    }
    return (PersistenceException) thrown;
  }

  private PersistenceException opening(UUID id, Map<String, String> settings) {
    try (Persistence persistence = open(settings)) {
      PersistenceException thrown = opening(persistence, id);
      assertThat(thrown).hasMessageContainingAll("execution.input", id.toString());
      return thrown;
    }
  }

  private PersistenceException opening(UUID id) {
    return opening(id, Map.of());
  }

  private String keyOf(UUID id) {
    try (Storage raw = raw()) {
      return input(raw, TENANT, id).keyId().orElseThrow();
    }
  }

  @Test
  @DisplayName("C058: a value of which a byte was changed, anywhere, does not open")
  void aChangedValueDoesNotOpen() {
    for (double place : new double[] {0.02, 0.3, 0.5, 0.8, 1}) {
      UUID id = created();
      String key = keyOf(id);
      changeInput(
          id,
          old -> {
            byte[] body = body(old);
            body[(int) (place * (body.length - 1))] ^= 0x40;
            return withBody(old, body);
          });
      assertThat(opening(id)).as("at %s", place).isInstanceOf(Corrupt.class);
      assertThat(opening(id)).as("at %s", place).hasMessageContaining(key);
    }
  }

  @Test
  void aCutValueDoesNotOpen() {
    for (int left : new int[] {0, 1, 40, 60, 61, 80}) {
      UUID id = created();
      String key = keyOf(id);
      changeInput(id, old -> withBody(old, Arrays.copyOf(body(old), left)));
      assertThat(opening(id))
          .as("cut to %d bytes", left)
          .isInstanceOf(Corrupt.class)
          .hasMessageContaining(key);
    }
    UUID id = created();
    String key = keyOf(id);
    changeInput(id, old -> withBody(old, Arrays.copyOf(body(old), body(old).length - 1)));
    assertThat(opening(id)).isInstanceOf(Corrupt.class).hasMessageContaining(key);
  }

  @Test
  void aCutEnvelopeDoesNotOpenAndItsRecordDoes() {
    for (int cut : new int[] {1, 20, 100}) {
      UUID id = created();
      changeInput(id, old -> withBytes(old, bytes -> Arrays.copyOf(bytes, bytes.length - cut)));
      assertThat(opening(id)).isInstanceOf(Corrupt.class).hasMessageContaining("cut");
    }
  }

  @Test
  @DisplayName(
      "C058: a value passed off as one of an older version, or as not sealed, does not open")
  void aDowngradedValueDoesNotOpen() {
    UUID older = created();
    changeInput(
        older,
        old -> {
          byte[] body = body(old);
          body[0] = 0;
          return withBody(old, body);
        });
    assertThat(opening(older))
        .isInstanceOf(Corrupt.class)
        .hasMessageContainingAll("version 0", keyOf(older));

    UUID unsealed = created();
    changeInput(
        unsealed,
        old ->
            with(
                old, StoredPayload.UNSEALED, old.compression(), body(old).length - 32L, body(old)));
    assertThat(opening(unsealed)).isInstanceOf(Corrupt.class).hasMessageContaining("not sealed");
    assertThat(opening(unsealed, ACCEPTING_CLEAR))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining("commitment");
  }

  @Test
  @DisplayName("C058: a value that somebody planted in the clear, in good order, does not open")
  void aPlantedValueDoesNotOpen() {
    UUID forged = created();
    changeInput(forged, old -> DamagedPayloads.unsealed("forged"));
    assertThat(opening(forged))
        .isInstanceOf(Corrupt.class)
        .hasMessageContainingAll("not sealed", "wovyr.sealing.unsealed to accept");
    try (Persistence persistence = open(ACCEPTING_CLEAR)) {
      Repositories reader = as(persistence, TENANT);
      assertThat(reader.executions().input(reader.executions().find(forged).orElseThrow()))
          .as("for stores that are older than their sealing")
          .contains(Payload.of("text/plain", "forged".getBytes(StandardCharsets.UTF_8)));
      reader.secrets().put("bank", Payload.text(CONTENT)).orThrow();
    }
    try (Storage raw = raw();
        Persistence persistence = open(ACCEPTING_CLEAR)) {
      StoredPayload planted = DamagedPayloads.unsealed("forged");
      Key secret = Key.of(RecordTypes.SECRET, "bank", 1);
      change(raw, TENANT, secret, row -> row.with("value", planted));
      assertThatThrownBy(() -> as(persistence, TENANT).secrets().open(new SecretRef("bank", 1)))
          .as("a secret, even there")
          .isInstanceOf(Corrupt.class)
          .hasMessageContainingAll("not sealed", "wovyr.sealing.provider");
    }
  }

  @Test
  void aBodyThatDoesNotHaveItsDefinitionsChecksumIsRefusedByName() {
    try (Persistence persistence = open(Map.of());
        Storage raw = raw()) {
      Repositories work = as(persistence, TENANT);
      for (String name : List.of("order", "refund")) {
        work.definitions().add(NewDefinition.of(name, Payload.text(CONTENT + name))).orThrow();
      }
      Key key = Key.of(RecordTypes.DEFINITION, "order", 1);
      String other = work.definitions().find("refund", 1).orElseThrow().checksum();
      change(raw, TENANT, key, row -> row.with("checksum", other));
      WorkflowDefinition changed = work.definitions().find("order", 1).orElseThrow();
      String dataKey = changed.body().flatMap(StoredPayload::keyId).orElseThrow();
      assertThatThrownBy(() -> work.definitions().body(changed))
          .isInstanceOf(Corrupt.class)
          .hasMessageContainingAll("definition order@1", "checksum", other, dataKey)
          .hasMessageNotContaining("c4n4ry");
      assertThat(work.definitions().body(work.definitions().find("refund", 1).orElseThrow()))
          .isEqualTo(Payload.text(CONTENT + "refund"));
    }
  }

  @Test
  @DisplayName("C058: a value moved to another record, attribute or tenant does not open")
  void aMovedValueDoesNotOpen() {
    UUID from = created();
    UUID to = created();
    String key = keyOf(from);
    try (Storage raw = raw();
        Persistence persistence = open(Map.of())) {
      StoredPayload moved = input(raw, TENANT, from);
      change(
          raw,
          TENANT,
          Key.of(RecordTypes.EXECUTION, to),
          row -> row.with("input", moved).with("outcome", input(raw, TENANT, to)));
      assertThat(opening(persistence, to))
          .as("another record's")
          .isInstanceOf(Corrupt.class)
          .hasMessageContainingAll(key, to.toString());
      Repositories reader = as(persistence, TENANT);
      WorkflowExecution execution = reader.executions().find(to).orElseThrow();
      assertThatThrownBy(() -> reader.executions().outcome(execution))
          .as("another attribute's")
          .isInstanceOf(Corrupt.class)
          .hasMessageContainingAll("execution.outcome", key)
          .hasMessageNotContaining("c4n4ry");

      created(as(persistence, "rival"), from);
      change(raw, "rival", Key.of(RecordTypes.EXECUTION, from), row -> row.with("input", moved));
      Repositories rival = as(persistence, "rival");
      WorkflowExecution theirs = rival.executions().find(from).orElseThrow();
      assertThatThrownBy(() -> rival.executions().input(theirs))
          .as("another tenant's, of the same id: its data key is none of theirs")
          .isInstanceOf(UnknownKey.class)
          .hasMessageContainingAll(key, from.toString())
          .hasMessageNotContaining("c4n4ry");
    }
  }

  /** Exchanges values of two rows together with the ids of their records. */
  private void swap(String table, String key, String where, String... columns) throws SQLException {
    List<String> moved = new ArrayList<>(List.of("record_id"));
    moved.addAll(List.of(columns));
    sql(
        table,
        "CREATE TABLE kept AS SELECT %s AS kept_key, %s FROM %s WHERE %s"
            .formatted(key, String.join(", ", moved), table, where),
        "UPDATE %s SET %s FROM kept WHERE kept_key <> %s AND %s"
            .formatted(
                table,
                moved.stream()
                    .map(column -> column + " = kept." + column)
                    .collect(Collectors.joining(", ")),
                key,
                where),
        "DROP TABLE kept");
  }

  private static void assertMoved(ThrowingCallable opening, String... parts) {
    assertThatThrownBy(opening)
        .isInstanceOf(Corrupt.class)
        .hasMessageContainingAll(parts)
        .hasMessageContaining("sealed under data key")
        .hasMessageNotContaining("c4n4ry");
  }

  @Test
  @DisplayName(
      "C058: results of two activities exchanged with the ids of their records do not open")
  void exchangedResultsOfActivitiesDoNotOpen() throws SQLException {
    UUID execution;
    try (Persistence persistence = open(Map.of())) {
      Repositories work = as(persistence, TENANT);
      execution = created(work, UUID.randomUUID());
      completed(work, execution, scheduled(work, execution), "a", "b");
    }
    swap("activity", "activity_id", "activity_id IN ('a', 'b')", "input", "result");
    try (Persistence persistence = open(Map.of())) {
      Repositories reader = as(persistence, TENANT);
      for (String name : List.of("a", "b")) {
        ActivityExecution activity = reader.activities().find(execution, name).orElseThrow();
        String id = activity.header().id().toString();
        assertMoved(() -> reader.activities().result(activity), "activity.result", id);
        assertMoved(() -> reader.activities().input(activity), "activity.input", id);
      }
      ActivityExecution other = reader.activities().find(execution, "c").orElseThrow();
      assertThat(reader.activities().input(other)).contains(Payload.text(CONTENT));
    }
  }

  @Test
  @DisplayName("C058: secrets exchanged with the ids of their records do not open")
  void exchangedSecretsDoNotOpen() throws SQLException {
    try (Persistence persistence = open(Map.of())) {
      Repositories work = as(persistence, TENANT);
      for (String name : List.of("bank", "mail")) {
        work.secrets().put(name, Payload.text(CONTENT + name)).orThrow();
      }
    }
    swap("secret", "name", "name IN ('bank', 'mail')", "value");
    try (Persistence persistence = open(Map.of())) {
      Repositories reader = as(persistence, TENANT);
      for (String name : List.of("bank", "mail")) {
        assertMoved(() -> reader.secrets().open(new SecretRef(name, 1)), "secret.value");
      }
    }
  }

  @Test
  @DisplayName(
      "C058: reasons of two checkpoint marks exchanged with the ids of their records do not open")
  void exchangedReasonsOfMarksDoNotOpen() throws SQLException {
    List<WorkflowCheckpoint> marked = new ArrayList<>();
    try (Persistence persistence = open(Map.of())) {
      Repositories work = as(persistence, TENANT);
      for (String name : List.of("first", "second")) {
        UUID execution = created(work, UUID.randomUUID());
        WorkflowCheckpoint manifest = GoldenRecords.manifest(execution, UUID.randomUUID());
        work.unitOfWork().with(work.checkpoints().add(manifest)).commit().orThrow();
        work.checkpoints().pin(manifest, CONTENT + name).orThrow();
        work.checkpoints().invalidate(manifest, CONTENT + name).orThrow();
        marked.add(manifest);
      }
    }
    swap(
        "checkpoint_mark",
        "checkpoint_id",
        "pinned_by IS NOT NULL",
        "sealed_reason",
        "sealed_pin_reason");
    try (Persistence persistence = open(Map.of())) {
      CheckpointRecords checkpoints = as(persistence, TENANT).checkpoints();
      for (WorkflowCheckpoint of : marked) {
        CheckpointMark mark = checkpoints.mark(of.executionId(), of.checkpointId()).orElseThrow();
        String id = mark.header().id().toString();
        assertMoved(() -> checkpoints.reason(mark), "checkpoint_mark.sealedReason", id);
        assertMoved(() -> checkpoints.pinReason(mark), "checkpoint_mark.sealedPinReason", id);
      }
    }
  }

  @Test
  @DisplayName("C058: values of two events of one execution exchanged with their ids do not open")
  void exchangedValuesOfEventsDoNotOpen() throws SQLException {
    UUID execution;
    try (Persistence persistence = open(Map.of())) {
      Repositories work = as(persistence, TENANT);
      execution = created(work, UUID.randomUUID());
      for (String name : List.of("first", "second")) {
        NewEvent event =
            NewEvent.of("Noted")
                .withPayload(Payload.text(CONTENT + name))
                .put(Section.VARIABLES, "note", Payload.text(CONTENT + name));
        work.events().append(execution, Append.signal(name), event).orThrow();
      }
    }
    swap("workflow_event", "sequence", "sequence IN (2, 3)", "payload", "changes");
    try (Persistence persistence = open(Map.of())) {
      Repositories reader = as(persistence, TENANT);
      List<WorkflowEvent> events = reader.events().read(execution, 2, 10).items();
      assertThat(events).hasSize(2);
      for (WorkflowEvent event : events) {
        String id = event.id().toString();
        assertMoved(() -> reader.events().payload(event), "workflow_event.payload", id);
        assertMoved(() -> reader.events().value(event, 0), "workflow_event.changes[0]", id);
      }
      WorkflowState state = reader.executions().state(execution);
      assertMoved(
          () -> reader.open(state.get(Section.VARIABLES, "note").orElseThrow()),
          "workflow_event.changes[0]");
    }
  }

  private static void completed(
      Repositories work, UUID execution, Lease lease, String... activities) {
    for (String name : activities) {
      work.unitOfWork()
          .append(execution, Append.next(lease), NewEvent.of("Done"))
          .with(
              work.activities()
                  .start(work.activities().find(execution, name).orElseThrow(), "worker-1"))
          .commit()
          .orThrow();
      work.unitOfWork()
          .append(execution, Append.next(lease), NewEvent.of("Done"))
          .with(
              work.activities()
                  .complete(
                      work.activities().find(execution, name).orElseThrow(),
                      Optional.of(Payload.text(CONTENT + name))))
          .commit()
          .orThrow();
    }
  }

  @Test
  @DisplayName("C055: a compression bomb is refused before memory is taken for it")
  void aCompressionBombIsRefused() throws IOException {
    byte[] bomb = compressedZeros(400 << 20);
    for (long declared : new long[] {400L << 20, 1000, Long.MAX_VALUE}) {
      UUID id = created();
      changeInput(id, old -> with(DamagedPayloads.unsealed(""), 0, 1, declared, behindSalt(bomb)));
      long began = System.nanoTime();
      assertThat(opening(id, ACCEPTING_CLEAR))
          .as("%d bytes declared", declared)
          .isInstanceOf(declared == 1000 ? Corrupt.class : Rejected.class);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    }
  }

  /** One frame that says its length, made without taking that length from the heap. */
  private byte[] compressedZeros(int length) throws IOException {
    try (FileChannel sparse =
        FileChannel.open(
            directory.resolve("zeros"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      ByteBuffer zeros = sparse.map(FileChannel.MapMode.READ_WRITE, 0, length);
      ByteBuffer frame = ByteBuffer.allocateDirect(1 << 20);
      long written = Zstd.compressDirectByteBuffer(frame, 0, 1 << 20, zeros, 0, length, 3);
      assertThat(Zstd.isError(written)).as(Zstd.getErrorName(written)).isFalse();
      byte[] bytes = new byte[Math.toIntExact(written)];
      frame.get(0, bytes);
      return bytes;
    }
  }

  private static byte[] behindSalt(byte[] content) {
    byte[] part = new byte[StoredPayload.SALT_BYTES + content.length];
    System.arraycopy(content, 0, part, StoredPayload.SALT_BYTES, content.length);
    return part;
  }

  @Test
  void whatANewerVersionWroteIsToldAsSuch() {
    UUID sealing = created();
    changeInput(sealing, old -> with(old, 77, old.compression(), old.length(), body(old)));
    assertThat(opening(sealing))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContainingAll("codec 77", keyOf(sealing));

    UUID compression = created();
    changeInput(compression, old -> with(old, old.sealing(), 99, old.length(), body(old)));
    assertThat(opening(compression))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContainingAll("codec 99", keyOf(compression));

    UUID sealedVersion = created();
    changeInput(
        sealedVersion,
        old -> {
          byte[] body = body(old);
          body[0] = 9;
          return withBody(old, body);
        });
    assertThat(opening(sealedVersion))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContainingAll("version 9", keyOf(sealedVersion));

    UUID layout = created();
    changeInput(
        layout,
        old ->
            withBytes(
                old,
                bytes -> {
                  bytes[0] = 8;
                  return bytes;
                }));
    assertThat(opening(layout))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("layout 8");
  }

  @Test
  void aWrongKeystoreIsToldFromDamage() throws Exception {
    UUID id = created();
    String key = keyOf(id);
    Path kept = keystore().resolveSibling("kept");
    Files.move(keystore(), kept);
    char[] password = password().toCharArray();
    KeyStore other = KeyStore.getInstance("PKCS12");
    other.load(null, password);
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 7);
    other.setEntry(
        "wovyr-1",
        new KeyStore.SecretKeyEntry(new SecretKeySpec(secret, "AES")),
        new KeyStore.PasswordProtection(password));
    try (OutputStream out = Files.newOutputStream(keystore())) {
      other.store(out, password);
    }
    assertThat(opening(id))
        .isInstanceOf(UnknownKey.class)
        .hasMessageContaining("wovyr-1")
        .hasMessageContaining(key);

    Files.delete(keystore());
    try (Persistence persistence = open(Map.of())) {
      assertThat(opening(persistence, id))
          .isInstanceOf(Unavailable.class)
          .hasMessageContainingAll(key, keystore().getFileName().toString());
    }
    Files.move(kept, keystore());
    Path passwordFile = keystore().resolveSibling(keystore().getFileName() + ".password");
    Files.writeString(passwordFile, "not the password");
    try (Persistence persistence = open(Map.of())) {
      assertThat(opening(persistence, id))
          .isInstanceOf(Unavailable.class)
          .hasMessageContainingAll(key, keystore().getFileName().toString())
          .hasMessageNotContaining("not the password");
    }
    Files.writeString(passwordFile, String.valueOf(password));
    try (Persistence persistence = open(Map.of())) {
      Repositories reader = as(persistence, TENANT);
      assertThat(reader.executions().input(reader.executions().find(id).orElseThrow()))
          .contains(Payload.text(CONTENT));
    }
  }

  private String password() throws Exception {
    return Files.readString(
            keystore().resolveSibling(keystore().getFileName() + ".password"),
            StandardCharsets.UTF_8)
        .strip();
  }

  @Test
  @DisplayName("C032: unreadable records in the middle of a scan stop no other")
  void unreadableRecordsInTheMiddleOfAScanStopNoOther() {
    List<UUID> ids = new ArrayList<>();
    try (Persistence persistence = open(Map.of())) {
      Repositories work = as(persistence, TENANT);
      for (int i = 0; i < 7; i++) {
        ids.add(created(work, UUID.randomUUID()));
      }
      scheduled(work, ids.get(0));
    }
    UUID torn = ids.get(2);
    UUID newer = ids.get(4);
    changeInput(torn, old -> withBytes(old, bytes -> Arrays.copyOf(bytes, 11)));
    Key activity = Key.of(RecordTypes.ACTIVITY, ids.get(0), "b");
    try (Storage raw = raw()) {
      change(raw, TENANT, Key.of(RecordTypes.EXECUTION, newer), DamagedValuesContract::newer);
      change(
          raw,
          TENANT,
          activity,
          row -> row.with("input", StoredPayload.keep(Bytes.wrap(new byte[] {1, 0}))));
    }
    try (Persistence persistence = open(Map.of())) {
      Repositories reader = as(persistence, TENANT);
      List<UUID> listed = new ArrayList<>();
      List<UUID> opened = new ArrayList<>();
      Optional<String> next = Optional.empty();
      do {
        var page = reader.executions().find(ExecutionQuery.all().oldestFirst(), 3, next);
        for (WorkflowExecution execution : page.items()) {
          UUID id = execution.header().id();
          listed.add(id);
          if (id.equals(torn)) {
            assertThat(opening(persistence, id)).isInstanceOf(Corrupt.class);
          } else if (reader.executions().input(execution).isPresent()) {
            opened.add(id);
          }
        }
        next = page.next();
      } while (next.isPresent());
      List<UUID> expected = new ArrayList<>(ids);
      expected.remove(newer);
      assertThat(listed).containsExactlyElementsOf(expected);
      expected.remove(torn);
      assertThat(opened).containsExactlyElementsOf(expected);
      assertThat(reader.activities().list(ids.get(0), 10, Optional.empty()).items())
          .extracting(ActivityExecution::activityId)
          .containsExactly("a", "b", "c");
      assertThat(reader.quarantine().list(Optional.empty(), 10, Optional.empty()).items())
          .extracting(QuarantinedRecord::type, one -> one.key().orElse("(unknown)"))
          .containsExactlyInAnyOrder(
              org.assertj.core.groups.Tuple.tuple("execution", torn.toString()),
              org.assertj.core.groups.Tuple.tuple("execution", newer.toString()),
              org.assertj.core.groups.Tuple.tuple("activity", ids.get(0) + "/b"));
    }
  }

  static List<RecordType> everyType() {
    return RecordTypes.all();
  }

  private static final int LAST = 9_999;

  private void insert(RecordType type, int... numbers) {
    try (Storage raw = raw()) {
      List<Mutation> inserts =
          Arrays.stream(numbers)
              .<Mutation>mapToObj(
                  number -> new Mutation.Insert(DamagedRows.row(TENANT, type, number)))
              .toList();
      Batch batch =
          new Batch(
              UUID.randomUUID(),
              raw.identity().epoch(),
              Scope.tenant(TENANT),
              Optional.empty(),
              inserts,
              List.of());
      assertThat(raw.commit(batch, Deadline.after(Duration.ofSeconds(20))))
          .isInstanceOf(CommitOutcome.Committed.class);
    }
  }

  private String update(RecordType type, int number, String column, String value) {
    Key key = DamagedRows.row(TENANT, type, number).key();
    StringBuilder text =
        new StringBuilder("UPDATE %s SET %s = %s".formatted(type.name(), column, value));
    for (int i = 0; i < type.key().size(); i++) {
      text.append(i == 0 ? " WHERE " : " AND ")
          .append(DamagedRows.column(type.key().get(i).name()))
          .append(" = ")
          .append(literal(key.values().get(i)));
    }
    return text.toString();
  }

  /** Damages one value in each row but the first and the last; which, by the number of the row. */
  private Map<Integer, String> damageEverything(RecordType type) throws SQLException {
    Map<String, String> columns = new LinkedHashMap<>();
    for (Attribute attribute : type.attributes()) {
      if (attribute.kind() != Kind.PAYLOAD) {
        damage(attribute.kind(), attribute.nullable())
            .ifPresent(value -> columns.put(attribute.name(), value));
      }
    }
    damage(Kind.UUID, false).ifPresent(value -> columns.put("record_id", value));
    damage(Kind.INSTANT, false).ifPresent(value -> columns.put("updatedAt", value));
    damage(Kind.TEXT, false).ifPresent(value -> columns.put("updated_by", value));
    List<String> names = List.copyOf(columns.keySet());
    insert(type, IntStream.rangeClosed(1, names.size() + 1).toArray());
    insert(type, LAST);
    open(type);
    Map<Integer, String> damaged = new LinkedHashMap<>();
    List<String> updates = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String column = DamagedRows.column(names.get(i));
      updates.add(update(type, i + 2, column, columns.get(names.get(i))));
      damaged.put(i + 2, names.get(i));
    }
    sql(type.name(), updates.toArray(String[]::new));
    return damaged;
  }

  @ParameterizedTest
  @MethodSource("everyType")
  @DisplayName("C032: whatever is damaged of a record of any type, it alone cannot be read")
  void whateverIsDamagedOfARecordItAloneCannotBeRead(RecordType type) throws SQLException {
    Map<Integer, String> damaged = damageEverything(type);
    assertThat(damaged).isNotEmpty();
    try (Storage raw = raw()) {
      for (int limit : new int[] {1_000, 1}) {
        assertThat(keys(raw, type, limit)).as("pages of %d", limit).hasSize(damaged.size() + 2);
      }
    }
    try (Persistence persistence = open(Map.of())) {
      Repositories reader = as(persistence, TENANT);
      List<QuarantinedRecord> found =
          reader.quarantine().list(Optional.of(type.name()), 1_000, Optional.empty()).items();
      assertThat(found)
          .extracting(one -> one.key().orElse("(unknown)"))
          .containsExactlyElementsOf(
              damaged.keySet().stream()
                  .map(number -> DamagedRows.row(TENANT, type, number).key())
                  .map(DamagedRows::text)
                  .toList());
      int number = 2;
      for (QuarantinedRecord one : found) {
        assertThat(one.reason()).isEqualTo(QuarantineReason.CORRUPT);
        assertThat(one.detail()).contains(type.name()).contains("." + damaged.get(number++));
        assertThat(reader.quarantine().find(type.name(), one.key().orElseThrow())).contains(one);
      }
    }
  }

  private static List<Key> keys(Storage raw, RecordType type, int limit) {
    List<Key> keys = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      var page =
          raw.scan(
              Scope.tenant(TENANT),
              Scan.byKey(type, List.of(), limit).after(next),
              ReadOptions.strong(Deadline.after(Duration.ofSeconds(20))));
      page.items().forEach(row -> keys.add(row.key()));
      next = page.next();
    } while (next.isPresent());
    return keys;
  }

  @Test
  void aDamagedDefinitionIsLeftOutOfListsAndLeftAsItIs() throws SQLException {
    insert(RecordTypes.DEFINITION, 1, 2, 3);
    sql("definition", update(RecordTypes.DEFINITION, 2, "policies", "'c4n4ry'"));
    try (Persistence persistence = open(Map.of())) {
      Repositories all = as(persistence, TENANT);
      String name = DamagedRows.NAME;
      Optional<String> first = Optional.empty();
      assertThat(all.definitions().list(Optional.empty(), 10, first).items()).hasSize(2);
      assertThat(all.definitions().versions(name, 10, first).items()).hasSize(2);
      assertThat(all.definitions().latest(name))
          .get()
          .extracting(WorkflowDefinition::definitionVersion)
          .isEqualTo(3);
      assertThatThrownBy(() -> all.definitions().find(name, 2))
          .isInstanceOf(Corrupt.class)
          .hasMessageContainingAll("definition", name, "2", "policies")
          .hasMessageNotContaining("c4n4ry");
    }
  }

  @Test
  void damagedCompensationsAreLeftOutOfLists() throws SQLException {
    insert(RecordTypes.COMPENSATION, 1, 2, 3);
    sql(
        "compensation",
        update(RecordTypes.COMPENSATION, 2, "metadata", "'c4n4ry'"),
        update(RecordTypes.COMPENSATION, 3, "registered_at", "-9223372036854775808"));
    try (Persistence persistence = open(Map.of())) {
      var compensations = as(persistence, TENANT).compensations();
      List<Integer> listed = new ArrayList<>();
      Optional<String> next = Optional.empty();
      do {
        var page = compensations.list(CompensationStatus.REGISTERED, 1, next);
        page.items().forEach(one -> listed.add(one.position()));
        next = page.next();
      } while (next.isPresent());
      assertThat(listed).containsExactly(1);
    }
  }

  @Test
  void damagedSamplesKeepNobodyFromSampling() throws SQLException {
    Map<String, String> sampling = Map.of("wovyr.metrics.sample-every", "PT1S");
    try (Persistence persistence = open(sampling)) {
      awaitAnySample(persistence);
      for (int i = 0; i < 2; i++) {
        sql("metrics_snapshot", "UPDATE metrics_snapshot SET readings = 'x'");
        awaitAnySample(persistence);
      }
    }
    sql("metrics_snapshot", "UPDATE metrics_snapshot SET readings = 'x'");
    try (Persistence persistence = open(sampling)) {
      awaitAnySample(persistence);
    }
  }

  @Test
  void damagedMarkersKeepNobodyFromSweeping() throws SQLException {
    insert(RecordTypes.COMMIT_MARKER, 1, 2, 3);
    for (int number = 1; number <= 3; number++) {
      String past = String.valueOf(1_000_000L * number);
      sql("commit_marker", update(RecordTypes.COMMIT_MARKER, number, "expires_at", past));
    }
    String noTime = String.valueOf(Long.MIN_VALUE);
    sql("commit_marker", update(RecordTypes.COMMIT_MARKER, 1, "updated_at", noTime));
    try (Persistence persistence = open(Map.of());
        Storage raw = raw()) {
      while (persistence.system("contract").sweepMarkers(1) > 0) {
        // One at a time: the damaged one is always the first.
      }
      assertThat(keys(raw, RecordTypes.COMMIT_MARKER, 10))
          .containsExactly(DamagedRows.row(TENANT, RecordTypes.COMMIT_MARKER, 1).key());
    }
  }

  private static boolean hasSample(Persistence persistence) {
    Instant from = Instant.parse("2000-01-01T00:00:00Z");
    Instant to = Instant.parse("9999-01-01T00:00:00Z");
    return !persistence
        .system("contract")
        .metrics()
        .list("storage", from, to, 1_000, Optional.empty())
        .items()
        .isEmpty();
  }

  private static void awaitAnySample(Persistence persistence) {
    long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (!hasSample(persistence)) {
      assertThat(System.nanoTime()).as("a sample that can be read, in time").isLessThan(deadline);
      LockSupport.parkNanos(20_000_000L);
    }
  }

  private static Lease scheduled(Repositories work, UUID execution) {
    Lease lease =
        ((AcquireResult.Acquired)
                work.leases().acquire(execution, "worker-1", Duration.ofMinutes(2)))
            .lease();
    for (String name : List.of("a", "b", "c")) {
      work.unitOfWork()
          .append(execution, Append.next(lease), NewEvent.of("Scheduled"))
          .with(
              work.activities()
                  .schedule(
                      execution, NewActivity.of(name, "charge").withInput(Payload.text(CONTENT))))
          .commit()
          .orThrow();
    }
    return lease;
  }

  private static Row newer(Row row) {
    RecordHeader old = row.header();
    return row.with(
        new RecordHeader(
            old.id(),
            old.tenantId(),
            old.version(),
            old.createdAt(),
            old.updatedAt(),
            old.updatedBy(),
            old.schemaVersion(),
            99,
            old.serializationVersion(),
            Bytes.EMPTY));
  }
}
