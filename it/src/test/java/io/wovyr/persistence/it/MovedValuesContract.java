/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Change;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.activity.ActivityExecution;
import io.wovyr.persistence.activity.NewActivity;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.checkpoint.CheckpointMark;
import io.wovyr.persistence.checkpoint.WorkflowCheckpoint;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.compensation.NewCompensation;
import io.wovyr.persistence.core.payload.StateChangeCodec;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Timing;
import io.wovyr.persistence.secret.SecretRef;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sealed values that somebody copies by SQL from any place to any other: of every attribute that is
 * sealed, of two records of each type, of two tenants. {@code -Dwovyr.test.moves=all} tries every
 * place in every other, not only some of the pairs.
 */
abstract class MovedValuesContract {
  private static final String CONTENT = "c4n4ry of a person";
  private static final boolean ALL = "all".equals(System.getProperty("wovyr.test.moves"));
  private static final int SHIFTS = 2;
  private static final List<String> TENANTS = List.of("acme", "rival");

  @TempDir Path directory;
  private int contents;

  abstract Persistence open();

  /** The store itself, past everything that core does. */
  abstract Storage raw();

  /**
   * A connection that may do anything, past rights and triggers; commits by itself. No store is
   * opened any more when there is one.
   */
  abstract Connection sql() throws SQLException;

  /** As the driver takes the value of a key. */
  abstract Object bound(Object keyValue);

  /** Where a sealed value is. */
  private record Place(String tenant, Key key, UUID recordId, String attribute) {
    String name() {
      return key.type().name() + "." + attribute;
    }

    boolean isSecret() {
      return key.type() == RecordTypes.SECRET;
    }

    UUID execution() {
      return (UUID) key.values().get(0);
    }

    @Override
    public String toString() {
      return tenant + " " + key + "." + attribute;
    }
  }

  private static Repositories as(Persistence persistence, String tenant) {
    return persistence.as(Caller.of(tenant, "somebody", Role.values()));
  }

  private Payload content() {
    return Payload.text(CONTENT + " " + ++contents);
  }

  // What is stored.

  private void write(Repositories work, String name) {
    work.definitions().add(NewDefinition.of("order-" + name, content())).orThrow();
    Timing never = new Timing.Once(Instant.parse("2999-01-01T00:00:00Z"));
    work.schedules()
        .add(
            NewSchedule.of("schedule-" + name, never, DefinitionRef.of("order", 1))
                .withInput(content()))
        .orThrow();
    work.secrets().put("secret-" + name, content()).orThrow();
    work.audit()
        .append(NewAuditRecord.done("looked", "thing", name).withDetails(content()))
        .orThrow();
    UUID id = UUID.randomUUID();
    work.executions()
        .create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id).withInput(content()))
        .orThrow();
    Lease lease =
        ((AcquireResult.Acquired) work.leases().acquire(id, "worker", Duration.ofMinutes(5)))
            .lease();
    moved(work, lease, Transition.to(ExecutionStatus.RUNNING));
    writeActivities(work, lease);
    writeCompensations(work, lease);
    writeMark(work, id);
    step(work, lease, NewEvent.of("Noted").withPayload(content()));
    moved(work, lease, Transition.to(ExecutionStatus.FAILED).withOutcome(content()));
  }

  private void writeActivities(Repositories work, Lease lease) {
    UUID id = lease.executionId();
    var activities = work.activities();
    for (String name : List.of("charge", "ship")) {
      step(work, lease, activities.schedule(id, NewActivity.of(name, "t").withInput(content())));
      step(work, lease, activities.start(activity(work, id, name), "worker"));
      step(work, lease, activities.heartbeat(activity(work, id, name), Optional.of(content())));
    }
    Payload reason = content();
    step(
        work,
        lease,
        activities.fail(activity(work, id, "charge"), reason),
        work.retries().failed(id, "charge", RetryPolicy.ofAttempts(3), "Refused", reason).change());
    step(work, lease, activities.complete(activity(work, id, "ship"), Optional.of(content())));
  }

  private void writeCompensations(Repositories work, Lease lease) {
    UUID id = lease.executionId();
    var undo = work.compensations();
    for (String name : List.of("charge", "ship")) {
      step(work, lease, undo.push(id, NewCompensation.of(name, "undo").withInput(content())));
    }
    step(work, lease, undo.start(undo.next(id).orElseThrow()));
    step(
        work,
        lease,
        undo.fail(undo.next(id).orElseThrow(), "Closed", content(), Optional.of(Instant.now())));
    step(work, lease, undo.start(undo.next(id).orElseThrow()));
    step(work, lease, undo.complete(undo.next(id).orElseThrow(), Optional.of(content())));
  }

  private void writeMark(Repositories work, UUID id) {
    WorkflowCheckpoint manifest = GoldenRecords.manifest(id, UUID.randomUUID());
    work.unitOfWork().with(work.checkpoints().add(manifest)).commit().orThrow();
    work.checkpoints().pin(manifest, CONTENT + " " + ++contents).orThrow();
    work.checkpoints().invalidate(manifest, CONTENT + " " + ++contents).orThrow();
  }

  private static ActivityExecution activity(Repositories work, UUID id, String name) {
    return work.activities().find(id, name).orElseThrow();
  }

  private static void moved(Repositories work, Lease lease, Transition transition) {
    work.executions()
        .transition(
            work.executions().find(lease.executionId()).orElseThrow(),
            transition,
            Append.next(lease))
        .orThrow();
  }

  private static void step(Repositories work, Lease lease, Change... changes) {
    step(work, lease, NewEvent.of("Step"), changes);
  }

  private static void step(Repositories work, Lease lease, NewEvent event, Change... changes) {
    var unit = work.unitOfWork().append(lease.executionId(), Append.next(lease), event);
    for (Change change : changes) {
      unit.with(change);
    }
    unit.commit().orThrow();
  }

  private static List<Place> places(Storage raw) {
    List<Place> places = new ArrayList<>();
    for (String tenant : TENANTS) {
      for (RecordType type : RecordTypes.all()) {
        for (Row row : rows(raw, tenant, type)) {
          sealed(type)
              .filter(attribute -> row.get(attribute) != null)
              .forEach(
                  attribute ->
                      places.add(new Place(tenant, row.key(), row.header().id(), attribute)));
        }
      }
    }
    return places;
  }

  private static Stream<String> sealed(RecordType type) {
    return type.attributes().stream()
        .filter(attribute -> attribute.kind() == Kind.PAYLOAD)
        .map(Attribute::name);
  }

  private static List<Row> rows(Storage raw, String tenant, RecordType type) {
    List<Row> rows = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<Row> page =
          raw.scan(
              Scope.tenant(tenant),
              Scan.byKey(type, List.of(), 100).after(next),
              ReadOptions.strong(Deadline.after(Duration.ofSeconds(20))));
      rows.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    return rows;
  }

  // Opening.

  private static Payload opened(Persistence persistence, Place place) {
    Repositories reader = as(persistence, place.tenant());
    List<Object> key = place.key().values();
    Optional<Payload> found =
        switch (place.name()) {
          case "execution.input" ->
              reader.executions().input(reader.executions().find(place.execution()).orElseThrow());
          case "execution.outcome" ->
              reader
                  .executions()
                  .outcome(reader.executions().find(place.execution()).orElseThrow());
          case "workflow_event.payload" ->
              reader.events().payload(event(reader, place.execution(), (Long) key.get(1)));
          case "definition.body" ->
              Optional.of(
                  reader
                      .definitions()
                      .body(
                          reader
                              .definitions()
                              .find((String) key.get(0), (Integer) key.get(1))
                              .orElseThrow()));
          case "activity.input" ->
              reader.activities().input(activity(reader, place.execution(), (String) key.get(1)));
          case "activity.heartbeatDetails" ->
              reader
                  .activities()
                  .heartbeatDetails(activity(reader, place.execution(), (String) key.get(1)));
          case "activity.result" ->
              reader.activities().result(activity(reader, place.execution(), (String) key.get(1)));
          case "activity.failure" ->
              reader.activities().failure(activity(reader, place.execution(), (String) key.get(1)));
          case "retry.reason" ->
              reader
                  .retries()
                  .reason(
                      reader.retries().find(place.execution(), (String) key.get(1)).orElseThrow());
          case "compensation.input" -> reader.compensations().input(entry(reader, place));
          case "compensation.result" -> reader.compensations().result(entry(reader, place));
          case "compensation.failure" -> reader.compensations().failure(entry(reader, place));
          case "schedule.input" ->
              reader.schedules().input(reader.schedules().find((String) key.get(0)).orElseThrow());
          case "audit_details.details" ->
              reader.audit().details(reader.audit().find((UUID) key.get(0)).orElseThrow());
          case "checkpoint_mark.sealedReason" ->
              reader.checkpoints().reason(mark(reader, place)).map(Payload::text);
          case "checkpoint_mark.sealedPinReason" ->
              reader.checkpoints().pinReason(mark(reader, place)).map(Payload::text);
          case "secret.value" ->
              Optional.of(
                  reader.secrets().open(new SecretRef((String) key.get(0), (Integer) key.get(1))));
          default -> throw new AssertionError("nobody opens " + place.name());
        };
    return found.orElseThrow();
  }

  private static WorkflowEvent event(Repositories reader, UUID execution, long sequence) {
    return reader.events().read(execution, sequence, 1).items().get(0);
  }

  private static CompensationRecord entry(Repositories reader, Place place) {
    return reader
        .compensations()
        .find(place.execution(), (Integer) place.key().values().get(1))
        .orElseThrow();
  }

  private static CheckpointMark mark(Repositories reader, Place place) {
    return reader
        .checkpoints()
        .mark(place.execution(), (UUID) place.key().values().get(1))
        .orElseThrow();
  }

  // Moving.

  private byte[] stored(Connection sql, Place place) throws SQLException {
    return stored(sql, place, DamagedRows.column(place.attribute()));
  }

  private byte[] stored(Connection sql, Place place, String column) throws SQLException {
    try (PreparedStatement statement =
        sql.prepareStatement(
            "SELECT %s FROM %s WHERE %s".formatted(column, table(place), where(place)))) {
      bind(statement, place, 1);
      try (ResultSet row = statement.executeQuery()) {
        assertThat(row.next()).as(place.toString()).isTrue();
        return row.getBytes(1);
      }
    }
  }

  private void put(Connection sql, Place place, byte[] value) throws SQLException {
    put(sql, place, DamagedRows.column(place.attribute()), value);
  }

  private void put(Connection sql, Place place, String column, byte[] value) throws SQLException {
    try (PreparedStatement statement =
        sql.prepareStatement(
            "UPDATE %s SET %s = ? WHERE %s".formatted(table(place), column, where(place)))) {
      statement.setBytes(1, value);
      bind(statement, place, 2);
      assertThat(statement.executeUpdate()).as(place.toString()).isEqualTo(1);
    }
  }

  private static String table(Place place) {
    return place.key().type().name();
  }

  private static String where(Place place) {
    StringBuilder text = new StringBuilder("tenant_id = ?");
    for (Attribute attribute : place.key().type().key()) {
      text.append(" AND ").append(DamagedRows.column(attribute.name())).append(" = ?");
    }
    return text.toString();
  }

  private void bind(PreparedStatement statement, Place place, int from) throws SQLException {
    statement.setString(from, place.tenant());
    for (int i = 0; i < place.key().values().size(); i++) {
      statement.setObject(from + 1 + i, bound(place.key().values().get(i)));
    }
  }

  @Test
  @DisplayName("C058: a value copied from any place to any other does not open, and others do")
  void aValueCopiedFromAnyPlaceToAnyOtherDoesNotOpen() throws SQLException {
    try (Persistence persistence = open();
        Storage raw = raw();
        Connection sql = sql()) {
      for (String tenant : TENANTS) {
        write(as(persistence, tenant), "first");
        write(as(persistence, tenant), "second");
      }
      List<Place> places = places(raw);
      assertThat(places.stream().map(Place::name).distinct())
          .as("every attribute that is sealed")
          .containsExactlyInAnyOrderElementsOf(
              RecordTypes.all().stream()
                  .flatMap(type -> sealed(type).map(one -> type.name() + "." + one))
                  .toList());
      Map<Place, byte[]> bytes = new HashMap<>();
      Map<Place, Payload> plain = new HashMap<>();
      for (Place place : places) {
        bytes.put(place, stored(sql, place));
        plain.put(place, opened(persistence, place));
      }
      for (int shift : shifts(places.size())) {
        for (int half = 0; half < 2; half++) {
          move(persistence, sql, places, shift, half, bytes, plain);
        }
      }
    }
  }

  private static List<Integer> shifts(int places) {
    List<Integer> shifts = new ArrayList<>(IntStream.range(1, places).boxed().toList());
    if (ALL) {
      return shifts;
    }
    Collections.shuffle(shifts, new Random());
    // The nearest places are those of the same record and of the same type.
    return Stream.concat(Stream.of(1, 2), shifts.stream().limit(SHIFTS)).distinct().toList();
  }

  /** Every other one gets the value of the one so far away; then all are as they were. */
  private void move(
      Persistence persistence,
      Connection sql,
      List<Place> places,
      int shift,
      int half,
      Map<Place, byte[]> bytes,
      Map<Place, Payload> plain)
      throws SQLException {
    Map<Place, Place> moved = new HashMap<>();
    sql.setAutoCommit(false);
    for (int i = half; i < places.size(); i += 2) {
      Place from = places.get((i + shift) % places.size());
      moved.put(places.get(i), from);
      put(sql, places.get(i), bytes.get(from));
    }
    sql.commit();
    for (Place place : places) {
      Place from = moved.get(place);
      if (from == null) {
        assertThat(opened(persistence, place)).as("%s", place).isEqualTo(plain.get(place));
      } else {
        assertRefused(persistence, place, from);
      }
    }
    for (Place place : moved.keySet()) {
      put(sql, place, bytes.get(place));
    }
    sql.commit();
    sql.setAutoCommit(true);
  }

  private static void assertRefused(Persistence persistence, Place place, Place from) {
    Throwable thrown = catchThrowable(() -> opened(persistence, place));
    boolean otherKeys =
        !from.tenant().equals(place.tenant()) || from.isSecret() != place.isSecret();
    assertThat(thrown)
        .as("%s at %s", from, place)
        .isInstanceOf(otherKeys ? UnknownKey.class : Corrupt.class)
        .hasMessageContainingAll(place.name(), place.recordId().toString());
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      assertThat(String.valueOf(cause)).doesNotContain("c4n4ry");
    }
  }

  // Values in chunks.

  private Place chunk(UUID value, int number) {
    return new Place("acme", Key.of(RecordTypes.CHUNK, value, number), new UUID(0, 0), "content");
  }

  private static UUID created(Repositories work, Payload input) {
    UUID id = UUID.randomUUID();
    work.executions()
        .create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id).withInput(input))
        .orThrow();
    return id;
  }

  private static Payload noise(int seed) {
    byte[] bytes = new byte[(2 << 20) + 100_000];
    new Random(seed).nextBytes(bytes);
    return Payload.of("application/octet-stream", bytes);
  }

  private static Payload input(Persistence persistence, UUID id) {
    Repositories reader = as(persistence, "acme");
    return reader.executions().input(reader.executions().find(id).orElseThrow()).orElseThrow();
  }

  @Test
  @DisplayName("C058: chunks put in another order, doubled, left out or of another value")
  void chunksThatWereMovedDoNotOpen() throws SQLException {
    try (Persistence persistence = open();
        Storage raw = raw();
        Connection sql = sql()) {
      UUID first = created(as(persistence, "acme"), noise(1));
      UUID second = created(as(persistence, "acme"), noise(2));
      UUID mine = chunked(raw, first).stageId();
      UUID theirs = chunked(raw, second).stageId();
      assertThat(chunked(raw, first).chunks()).isEqualTo(3);
      List<byte[]> kept = new ArrayList<>();
      for (int number = 0; number < 3; number++) {
        kept.add(stored(sql, chunk(mine, number)));
      }
      byte[] strange = stored(sql, chunk(theirs, 1));
      List<List<byte[]>> wrong =
          List.of(
              List.of(kept.get(1), kept.get(0), kept.get(2)),
              List.of(kept.get(0), kept.get(0), kept.get(2)),
              List.of(kept.get(2), kept.get(1), kept.get(0)),
              List.of(kept.get(0), strange, kept.get(2)),
              List.of(kept.get(0), kept.get(1), strange),
              List.of(kept.get(0), kept.get(1), new byte[0]));
      for (List<byte[]> contents : wrong) {
        putAll(sql, mine, contents);
        assertChunksRefused(persistence, first);
        assertThat(input(persistence, second)).isEqualTo(noise(2));
      }
      putAll(sql, mine, kept);
      assertThat(input(persistence, first)).isEqualTo(noise(1));

      String renumbered = "UPDATE chunk SET number = %d WHERE number = %d AND value_id = ?";
      run(sql, renumbered.formatted(7, 1), mine);
      assertChunksRefused(persistence, first);
      run(sql, renumbered.formatted(1, 7), mine);
      assertThat(input(persistence, first)).isEqualTo(noise(1));

      run(sql, "UPDATE chunk SET number = number + 10 WHERE value_id = ?", theirs);
      run(sql, "UPDATE chunk SET number = number + 3 WHERE value_id = ?", mine);
      assertChunksRefused(persistence, first);
      assertChunksRefused(persistence, second);
    }
  }

  private void putAll(Connection sql, UUID value, List<byte[]> contents) throws SQLException {
    for (int number = 0; number < contents.size(); number++) {
      put(sql, chunk(value, number), contents.get(number));
    }
  }

  private void run(Connection sql, String text, UUID value) throws SQLException {
    try (PreparedStatement statement = sql.prepareStatement(text)) {
      statement.setObject(1, bound(value));
      statement.executeUpdate();
    }
  }

  private static StoredPayload.Body.Chunked chunked(Storage raw, UUID id) {
    return rows(raw, "acme", RecordTypes.EXECUTION).stream()
        .filter(row -> row.key().values().get(0).equals(id))
        .map(row -> (StoredPayload.Body.Chunked) ((StoredPayload) row.get("input")).body())
        .findFirst()
        .orElseThrow();
  }

  /** Without its first chunk a value may look like one of a version that is still to come. */
  private static void assertChunksRefused(Persistence persistence, UUID id) {
    assertThat(catchThrowable(() -> input(persistence, id)))
        .isInstanceOfAny(Corrupt.class, UnsupportedVersion.class)
        .hasMessageContainingAll("execution.input", id.toString());
  }

  // Values in the changes of an event.

  @Test
  @DisplayName("C058: values moved within an event, or to the same place of another, do not open")
  void valuesOfChangesThatWereMovedDoNotOpen() throws SQLException {
    try (Persistence persistence = open();
        Connection sql = sql()) {
      Repositories work = as(persistence, "acme");
      UUID id = created(work, content());
      for (String name : List.of("first", "second")) {
        NewEvent event =
            NewEvent.of("Noted")
                .withPayload(content())
                .put(Section.VARIABLES, name + "-a", content())
                .put(Section.VARIABLES, name + "-b", content())
                .put(Section.VARIABLES, name + "-c", content());
        work.events().append(id, Append.signal(name), event).orThrow();
      }
      Place here = changes(id, 2);
      byte[] kept = stored(sql, here);
      List<StoredPayload> mine = values(kept);
      List<StoredPayload> others = values(stored(sql, changes(id, 3)));
      StoredPayload payload = event(work, id, 2).payload().orElseThrow();
      for (List<StoredPayload> wrong :
          List.of(
              List.of(mine.get(1), mine.get(0), mine.get(2)),
              List.of(payload, mine.get(1), mine.get(2)),
              List.of(others.get(0), mine.get(1), mine.get(2)),
              List.of(mine.get(0), mine.get(0), mine.get(2)))) {
        put(sql, here, with(kept, wrong));
        WorkflowEvent event = event(work, id, 2);
        for (int i = 0; i < wrong.size(); i++) {
          int index = i;
          Throwable thrown = catchThrowable(() -> work.events().value(event, index));
          if (wrong.get(i).equals(mine.get(i))) {
            assertThat(thrown).as("the one that stayed").isNull();
          } else {
            assertThat(thrown)
                .isInstanceOf(Corrupt.class)
                .hasMessageContainingAll("changes[" + i + "]", event.id().toString())
                .hasMessageNotContaining("c4n4ry");
          }
        }
        var leaf = work.executions().state(id).get(Section.VARIABLES, "first-c").orElseThrow();
        assertThat(work.open(leaf).content().utf8()).contains("c4n4ry");
      }
    }
  }

  private static Place changes(UUID id, long sequence) {
    return new Place("acme", Key.of(RecordTypes.EVENT, id, sequence), new UUID(0, 0), "changes");
  }

  private static List<StoredPayload> values(byte[] changes) {
    return StateChangeCodec.decode(Bytes.wrap(changes)).stream()
        .map(change -> ((StateChange.Put) change).value())
        .map(value -> ((StateChange.Value.Own) value).payload())
        .toList();
  }

  private static byte[] with(byte[] changes, List<StoredPayload> values) {
    List<StateChange> moved = new ArrayList<>();
    for (StateChange change : StateChangeCodec.decode(Bytes.wrap(changes))) {
      StateChange.Value value = new StateChange.Value.Own(values.get(moved.size()));
      moved.add(new StateChange.Put(change.section(), change.key(), value));
    }
    return StateChangeCodec.encode(moved).toByteArray();
  }
}
