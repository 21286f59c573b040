/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.compensation.CompensationRecord;
import io.wovyr.persistence.core.mapping.RecordMapper;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects changes as data, one per record; {@link Committer} decides them. Not thread-safe. */
final class StagedUnitOfWork implements UnitOfWork {
  /** The record classes that change by plain insert, update and delete. */
  private static final Set<Class<?>> PLAIN = Set.of(RegisteredCursor.class);

  /** The records of an execution that only the holder of its lease changes. */
  private static final Set<RecordType> OWNED =
      Set.of(RecordTypes.ACTIVITY, RecordTypes.RETRY, RecordTypes.COMPENSATION);

  private final TenantAccess access;
  private final Engine engine;
  private final Scope scope;
  private final String actor;
  private final List<Creation> creations = new ArrayList<>();
  private final Map<UUID, ExecutionEdit> edits = new LinkedHashMap<>();
  private final Map<Key, Plain> plain = new LinkedHashMap<>();
  private final Set<UUID> givenIds = new HashSet<>();
  private final Set<Key> fromOutside = new HashSet<>();
  private final Set<Key> cancelled = new HashSet<>();
  private final Map<Key, Long> checks = new LinkedHashMap<>();
  private final Map<UUID, Integer> tops = new LinkedHashMap<>();
  private final LeftOpen leftOpen;
  private final Map<DefinitionRef, Optional<WorkflowDefinition>> definitions = new HashMap<>();
  private @Nullable Consumer<CommitReference> beforeSend;
  private @Nullable Duration within;
  private boolean committed;
  private boolean apart;

  StagedUnitOfWork(TenantAccess access) {
    this.access = access;
    this.engine = access.engine();
    this.scope = access.scope();
    this.actor = access.actor();
    this.leftOpen = new LeftOpen(access);
  }

  /** The unit of work a change is staged in: one of this library, of the same store and tenant. */
  static StagedUnitOfWork of(UnitOfWork unit, Engine engine, Scope scope) {
    if (unit instanceof StagedUnitOfWork staged
        && staged.scope.tenantId().equals(scope.tenantId())
        && staged.engine.storeId().equals(engine.storeId())) {
      staged.checkNotCommitted();
      return staged;
    }
    throw new InvalidInput(
        "a change goes into a unit of work of the store and the tenant it was made for");
  }

  /** A plain record's change: no before is an insert, no after a delete. */
  record Plain(@Nullable Row before, @Nullable Row after) {
    Mutation mutation() {
      if (before == null) {
        return new Mutation.Insert(Objects.requireNonNull(after, "after"));
      }
      return after == null ? new Mutation.Delete(before) : new Mutation.Update(before, after);
    }
  }

  /** A new one, of the same caller. */
  StagedUnitOfWork another() {
    return new StagedUnitOfWork(access);
  }

  /** Committed by itself, whatever JTA transaction the calling thread is in. */
  StagedUnitOfWork apart() {
    apart = true;
    return this;
  }

  List<Creation> creations() {
    return creations;
  }

  Collection<ExecutionEdit> edits() {
    return edits.values();
  }

  Map<Key, Plain> plain() {
    return plain;
  }

  Map<Key, Long> checks() {
    return checks;
  }

  /** By execution, what must still be the highest compensation when this is committed. */
  Map<UUID, Integer> tops() {
    return tops;
  }

  /** The highest compensation of an execution that is stored, readable here or not. */
  int top(UUID executionId) {
    return access.highestNumber(Scan.byKey(RecordTypes.COMPENSATION, List.of(executionId), 1));
  }

  /** The entries of a compensation stack that the JTA transaction of the caller has written. */
  List<CompensationRecord> joined(UUID executionId) {
    RecordMapper<CompensationRecord> mapper = RecordMappers.of(CompensationRecord.class);
    return engine.joining().stream()
        .flatMap(transaction -> transaction.entries(scope, executionId).stream())
        .map(mapper::fromRow)
        .toList();
  }

  /** The highest of those; 0 when there is none. */
  int joinedTop(UUID executionId) {
    return joined(executionId).stream().mapToInt(CompensationRecord::position).max().orElse(0);
  }

  /**
   * Commits only while no compensation is pushed on the stack of an execution. A push changes the
   * head as this does: between looking and committing there is none.
   */
  void requireTop(UUID executionId, int position) {
    tops.merge(executionId, position, Math::min);
  }

  /** What is open of the executions that are ended here from outside. */
  LeftOpen leftOpen() {
    return leftOpen;
  }

  /** Those executions. */
  List<UUID> endedFromOutside() {
    List<UUID> ended = new ArrayList<>();
    for (ExecutionEdit edit : edits.values()) {
      if (edit.closes() && edit.lease().isEmpty()) {
        ended.add(edit.executionId());
      }
    }
    return ended;
  }

  /** Where the call came from. */
  Optional<String> client() {
    return access.client();
  }

  Optional<Consumer<CommitReference>> callback() {
    return Optional.ofNullable(beforeSend);
  }

  @Override
  public UnitOfWork create(NewExecution execution) {
    checkNotCommitted();
    access.require(Permission.WORK);
    Creation creation = Creation.of(access, execution, this::definition);
    if (edits.containsKey(creation.id())
        || creations.stream().anyMatch(other -> other.id().equals(creation.id()))) {
      throw new InvalidInput("execution " + creation.id() + " occurs twice in one unit of work");
    }
    creations.add(creation);
    return this;
  }

  /** Read once for all executions that are created here. */
  private Optional<WorkflowDefinition> definition(DefinitionRef ref) {
    return definitions.computeIfAbsent(ref, wanted -> Creation.stored(access, wanted));
  }

  @Override
  public UnitOfWork append(UUID executionId, Append mode, List<NewEvent> events) {
    checkNotCommitted();
    requireFor(mode);
    if (events.isEmpty()) {
      throw new InvalidInput("no event to append to execution " + executionId);
    }
    for (NewEvent event : events) {
      SystemEvents.refuseReserved(event);
      if (event.id().isPresent() && !givenIds.add(event.id().get())) {
        throw new InvalidInput("event id " + event.id().get() + " is given twice");
      }
    }
    stage(executionId, mode, events);
    return this;
  }

  /** From outside, people may; under a lease, only who does the work. */
  private void requireFor(Append mode) {
    access.require(mode instanceof Append.Signal ? Permission.OPERATE : Permission.WORK);
  }

  /** Appends an event of this library. */
  StagedUnitOfWork appendSystem(UUID executionId, Append mode, NewEvent event) {
    stage(executionId, mode, List.of(event));
    return this;
  }

  private void stage(UUID executionId, Append mode, List<NewEvent> events) {
    ExecutionEdit edit = edit(executionId);
    edit.check(mode, engine, scope);
    edits.put(executionId, edit);
    edit.use(mode);
    events.forEach(event -> draft(edit, event));
  }

  private void draft(ExecutionEdit edit, NewEvent event) {
    edit.drafts().add(EventDraft.of(event, edit.nextDedupeKey()));
  }

  private ExecutionEdit edit(UUID executionId) {
    if (creations.stream().anyMatch(creation -> creation.id().equals(executionId))) {
      throw new InvalidInput(
          "execution " + executionId + " is created here: change it in a later unit of work");
    }
    ExecutionEdit staged = edits.get(executionId);
    return staged == null ? new ExecutionEdit(executionId) : staged;
  }

  @Override
  public UnitOfWork transition(WorkflowExecution seen, Transition transition, Append mode) {
    checkNotCommitted();
    requireFor(mode);
    access.checkOwn(seen.header());
    ExecutionEdit edit = edit(seen.id());
    boolean first = edit.before().isEmpty();
    WorkflowExecution before = first && mode instanceof Append.Signal ? stored(seen) : seen;
    ExecutionEdit.checkLegal(edit.after().orElse(before), transition);
    edit.check(mode, engine, scope);
    edits.put(before.id(), edit);
    edit.use(mode);
    Optional<StoredPayload> outcome =
        transition
            .outcome()
            .map(
                value ->
                    engine
                        .sealer()
                        .seal(value, Bindings.execution(scope.tenantId(), before.id(), "outcome")));
    edit.move(before, transition, outcome, engine.now(), actor);
    draft(edit, SystemEvents.statusChanged(transition.to(), transition.outcome()));
    return this;
  }

  /**
   * What is moved from outside is what is stored: an operator may not change anything else of it.
   * One that has another version by now is refused with the batch, or recognised as moved before.
   */
  private WorkflowExecution stored(WorkflowExecution seen) {
    return access
        .find(WorkflowExecution.class, seen.id())
        .filter(found -> found.header().version() == seen.header().version())
        .orElse(seen);
  }

  @Override
  public UnitOfWork release(Lease lease, Wake wake) {
    checkNotCommitted();
    access.require(Permission.WORK);
    HeldLease held = HeldLease.of(lease, engine, scope);
    ExecutionEdit edit = edit(held.executionId());
    edit.release(held, wake);
    edits.put(held.executionId(), edit);
    return this;
  }

  @Override
  public UnitOfWork renew(Lease lease) {
    checkNotCommitted();
    access.require(Permission.WORK);
    HeldLease held = HeldLease.of(lease, engine, scope);
    ExecutionEdit edit = edit(held.executionId());
    edit.renew(held);
    edits.put(held.executionId(), edit);
    return this;
  }

  @Override
  public UnitOfWork insert(Object entity) {
    checkNotCommitted();
    checkPlain(entity);
    return insertRecord(entity);
  }

  /** As {@link #insert}, for what a repository has checked. */
  StagedUnitOfWork insertRecord(Object entity) {
    RecordMapper<Object> mapper = mapper(entity);
    Row given = mapper.toRow(entity);
    RecordHeader header =
        engine.newHeader(TenantAccess.idOf(given.header()), scope, actor, mapper.type());
    Row row = given.with(header);
    Plain staged = plain.get(row.key());
    if (staged != null && (staged.before() == null || staged.after() != null)) {
      throw new InvalidInput(row.key() + " is inserted twice in one unit of work");
    }
    if (staged != null) {
      // Deleted and inserted again: one update of what was there.
      Row before = Objects.requireNonNull(staged.before(), "before");
      plain.put(row.key(), new Plain(before, row.with(before.header().next(engine.now(), actor))));
    } else {
      plain.put(row.key(), new Plain(null, row));
    }
    return this;
  }

  @Override
  public <T> UnitOfWork update(T before, T after) {
    checkNotCommitted();
    checkPlain(before);
    return updateRecord(before, after);
  }

  /** As {@link #update}, for what a repository has checked. */
  <T> StagedUnitOfWork updateRecord(T before, T after) {
    Row old = mapper(before).toRow(before);
    access.checkOwn(old.header());
    if (!mapper(after).key(after).equals(old.key())) {
      throw new InvalidInput("an update does not change the key of " + old.key());
    }
    Plain staged = plain.get(old.key());
    if (staged == null) {
      plain.put(old.key(), new Plain(old, header(after, old.header().next(engine.now(), actor))));
      return this;
    }
    if (OWNED.contains(old.type())) {
      // Made from the record as it was stored, the second would undo the first.
      throw new InvalidInput(
          old.key()
              + " is changed twice in one unit of work: commit the first change, and make the"
              + " second from its answer");
    }
    Row current = staged.after();
    if (current == null) {
      throw new InvalidInput(old.key() + " was deleted in this unit of work");
    }
    plain.put(old.key(), new Plain(staged.before(), header(after, current.header())));
    return this;
  }

  /** As {@link #updateRecord}, for what may be changed without the lease of its execution. */
  <T> StagedUnitOfWork updateFromOutside(T before, T after) {
    fromOutside.add(keyOf(before));
    return updateRecord(before, after);
  }

  /**
   * As {@link #updateRecord}, for what stays possible when the execution has ended, and nobody can
   * hold its lease any more.
   */
  <T> StagedUnitOfWork updateCancelled(T before, T after) {
    cancelled.add(keyOf(before));
    return updateRecord(before, after);
  }

  static Key keyOf(Object record) {
    return mapper(record).key(record);
  }

  @Override
  public UnitOfWork delete(Object before) {
    checkNotCommitted();
    checkPlain(before);
    return deleteRecord(before);
  }

  /** As {@link #delete}, for what a repository has checked. */
  StagedUnitOfWork deleteRecord(Object before) {
    Row old = mapper(before).toRow(before);
    access.checkOwn(old.header());
    Plain staged = plain.get(old.key());
    if (staged == null) {
      plain.put(old.key(), new Plain(old, null));
    } else if (staged.before() == null) {
      plain.remove(old.key());
    } else {
      plain.put(old.key(), new Plain(staged.before(), null));
    }
    return this;
  }

  private void checkPlain(Object entity) {
    access.require(Permission.WORK);
    if (!PLAIN.contains(entity.getClass())) {
      throw new InvalidInput(
          entity.getClass().getSimpleName()
              + " has no plain insert, update or delete: use what its repository offers");
    }
  }

  @SuppressWarnings("unchecked") // The mapper of an object's own class maps that object.
  private static RecordMapper<Object> mapper(Object entity) {
    return (RecordMapper<Object>) RecordMappers.of(entity.getClass());
  }

  private static Row header(Object entity, RecordHeader header) {
    return mapper(entity).toRow(entity).with(header);
  }

  @Override
  public <T> Optional<T> find(Class<T> recordClass, Object key) {
    RecordMapper<T> mapper = RecordMappers.of(recordClass);
    access.require(toRead(mapper.type()));
    Key wanted = Key.of(mapper.type(), key instanceof String name ? Inputs.name("key", name) : key);
    if (recordClass == WorkflowExecution.class && key instanceof UUID id) {
      Optional<WorkflowExecution> staged = stagedExecution(id);
      if (staged.isPresent()) {
        return staged.map(recordClass::cast);
      }
    }
    Plain staged = plain.get(wanted);
    if (staged != null) {
      return Optional.ofNullable(staged.after()).map(mapper::fromRow);
    }
    return engine.read(scope, wanted).map(mapper::fromRow);
  }

  /** What is staged for a record that was read; empty: nothing, or that it is removed. */
  <T> Optional<T> staged(Class<T> recordClass, T read) {
    RecordMapper<T> mapper = RecordMappers.of(recordClass);
    Plain staged = plain.get(mapper.key(read));
    return staged == null
        ? Optional.empty()
        : Optional.ofNullable(staged.after()).map(mapper::fromRow);
  }

  /** What finding a record by its key needs: no less than its repository asks for. */
  private static Permission toRead(RecordType type) {
    if (type == RecordTypes.AUDIT_RECORD || type == RecordTypes.AUDIT_DETAILS) {
      return Permission.READ_AUDIT;
    }
    return type == RecordTypes.SECRET ? Permission.USE_SECRETS : Permission.READ;
  }

  private Optional<WorkflowExecution> stagedExecution(UUID id) {
    return creations.stream()
        .filter(creation -> creation.id().equals(id))
        .map(Creation::execution)
        .findFirst()
        .or(() -> Optional.ofNullable(edits.get(id)).flatMap(ExecutionEdit::after));
  }

  @Override
  public UnitOfWork check(WorkflowExecution unchanged) {
    checkNotCommitted();
    access.require(Permission.READ);
    checks.put(Key.of(RecordTypes.EXECUTION, unchanged.id()), unchanged.header().version());
    return this;
  }

  @Override
  public UnitOfWork beforeSend(Consumer<CommitReference> callback) {
    checkNotCommitted();
    beforeSend = callback;
    return this;
  }

  @Override
  public UnitOfWork within(Duration deadline) {
    checkNotCommitted();
    within = deadline;
    return this;
  }

  @Override
  public CommitResult commit() {
    return commit(within == null ? engine.commitDeadline() : Deadline.after(within));
  }

  /** As {@link #commit()}, as a part of a call that ends then. */
  CommitResult commit(Deadline deadline) {
    checkNotCommitted();
    committed = true;
    if (creations.isEmpty() && edits.isEmpty() && plain.isEmpty()) {
      throw new InvalidInput("there is nothing to commit");
    }
    plain.keySet().forEach(this::checkFenced);
    tops.forEach(this::checkNonePushed);
    edits.keySet().forEach(id -> checkNotChecked(Key.of(RecordTypes.EXECUTION, id)));
    Optional<JoinedTransaction> joined = apart ? Optional.empty() : engine.joining();
    CommitResult result = new Committer(engine, scope, actor, this, deadline, joined).commit();
    if (result.isCommitted()) {
      leftOpen.endTheRest(endedFromOutside(), deadline);
    }
    return result;
  }

  /** What is staged after the commit would be stored by nobody, and nobody would be told. */
  private void checkNotCommitted() {
    if (committed) {
      throw new IllegalStateException("a unit of work is committed once: make a new one");
    }
  }

  /**
   * The records of an execution change under its lease, or a worker that lost it could still change
   * them: the head, which the same batch changes, carries the token. What is created has no owner.
   */
  private void checkFenced(Key key) {
    if (!OWNED.contains(key.type()) || fromOutside.contains(key)) {
      return;
    }
    UUID executionId = (UUID) key.values().get(0);
    ExecutionEdit edit = edits.get(executionId);
    boolean created = creations.stream().anyMatch(made -> made.id().equals(executionId));
    boolean leased = edit != null && edit.lease().isPresent();
    if (!created && !leased && !(cancelled.contains(key) && isFinished(executionId))) {
      throw new InvalidInput(
          "%s is changed without the lease of its execution: append an event or a transition of"
                  .formatted(key)
              + " execution %s under its lease in the same commit, renew or release the lease in"
                  .formatted(executionId)
              + " it, or create the execution in it");
    }
  }

  /** Finished once, it stays so. */
  private boolean isFinished(UUID executionId) {
    return engine
        .read(scope, Key.of(RecordTypes.HEAD, executionId))
        .map(head -> Boolean.TRUE.equals(head.get("closed")))
        .orElse(false);
  }

  /** What is pushed is undone before what is below it. */
  private void checkNonePushed(UUID executionId, int top) {
    for (Key key : plain.keySet()) {
      if (key.type() == RecordTypes.COMPENSATION
          && key.values().get(0).equals(executionId)
          && (Integer) key.values().get(1) > top) {
        throw new IllegalTransition(
            "%s is pushed where one below it begins to be undone: it is to be undone before"
                .formatted(key));
      }
    }
  }

  /** A record that is written is not checked as well: its own guard is stricter. */
  private void checkNotChecked(Key execution) {
    ExecutionEdit edit = edits.get((UUID) execution.values().get(0));
    Long version = checks.get(execution);
    if (edit != null && version != null && edit.before().isPresent()) {
      if (edit.before().get().header().version() != version) {
        throw new InvalidInput(execution + " is checked and changed at different versions");
      }
      checks.remove(execution);
    }
  }
}
