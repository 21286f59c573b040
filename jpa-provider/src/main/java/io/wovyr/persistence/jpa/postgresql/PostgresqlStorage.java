/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.jpa.internal.History;
import io.wovyr.persistence.jpa.internal.SessionFactories;
import io.wovyr.persistence.jpa.internal.Tables;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CallersTransaction;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Enlisted;
import io.wovyr.persistence.storage.spi.FeedChunk;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Limits;
import io.wovyr.persistence.storage.spi.Purge;
import io.wovyr.persistence.storage.spi.PurgeOutcome;
import io.wovyr.persistence.storage.spi.ReadOptions;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.ScopedKey;
import io.wovyr.persistence.storage.spi.Statistics;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An open PostgreSQL store. Each role has connections of its own: the runtime role, which the walls
 * bind to the tenant of each call; the system role, which sees all tenants and writes nothing; the
 * purge role.
 */
final class PostgresqlStorage implements Storage {
  static final Set<Capability> CAPABILITIES =
      Set.of(Capability.STORE_CLOCK, Capability.MULTI_PROCESS);

  /** Of a store over a DataSource that is part of callers' transactions. */
  private static final Set<Capability> JOINING =
      Set.of(Capability.STORE_CLOCK, Capability.MULTI_PROCESS, Capability.JTA);

  private static final String READ_ONLY =
      "SELECT current_setting('transaction_read_only')::boolean OR pg_is_in_recovery()";
  private static final Limits LIMITS = new Limits(16 << 20, 10_000, 64L << 20, 1, 0);

  private final Tables tables = new Tables(new PostgresqlValues());
  private final NativeRecords records;
  private final History history = new History();
  private final Replication replication = new Replication();
  private final FeedReader feed;
  private final TransactionSettings settings;
  private final SessionFactories hibernate;
  private final PostgresqlErrors errors;
  private final Connections runtime;
  private final @Nullable Connections system;
  private final @Nullable Connections purging;
  private final Commits commits;
  private final @Nullable Commits purges;
  private final TransactionCommit transactions;
  private final @Nullable ContainerPool joining;
  private volatile @Nullable Enlistment enlistment;
  private volatile StoreIdentity identity = new StoreIdentity(new UUID(0, 0), 0, 0);
  private volatile boolean closed;

  private PostgresqlStorage(
      PostgresqlSettings settings, SessionFactories hibernate, Optional<JtaTransactions> callers) {
    this.hibernate = hibernate;
    this.settings =
        settings.inContainer()
            ? TransactionSettings.guest(settings.idleInTransaction())
            : TransactionSettings.OWN;
    records = new NativeRecords(tables, this.settings);
    feed = new FeedReader(tables, this.settings);
    errors = new PostgresqlErrors(settings.runtime());
    runtime =
        connections(
            settings, settings.runtime(), callers, StoreCheck.Role.RUNTIME, settings.connections());
    system =
        settings
            .system()
            .map(
                access ->
                    connections(
                        settings,
                        access,
                        callers,
                        StoreCheck.Role.SYSTEM,
                        settings.systemConnections()))
            .orElse(null);
    purging =
        settings
            .purge()
            .map(access -> connections(settings, access, callers, StoreCheck.Role.PURGE, 1))
            .orElse(null);
    transactions =
        new TransactionCommit(
            tables,
            this.settings,
            history,
            errors,
            () -> hibernate.get(Deadline.after(settings.connectTimeout())));
    Optional<ContainerSource> joined =
        settings
            .jta()
            .or(
                () ->
                    settings.runtime() instanceof ContainerSource own
                        ? Optional.of(own)
                        : Optional.empty());
    joining =
        joined
            .map(source -> containerPool(settings, source, callers, StoreCheck.Role.RUNTIME))
            .orElse(null);
    ConflictJudge judge = new ConflictJudge(records);
    LeanCommit lean = new LeanCommit(this.settings);
    commits = new Commits(runtime, tables, lean, transactions, judge, this::otherEpoch);
    purges =
        purging == null
            ? null
            : new Commits(purging, tables, lean, transactions, judge, this::otherEpoch);
  }

  private Connections connections(
      PostgresqlSettings settings,
      Access access,
      Optional<JtaTransactions> callers,
      StoreCheck.Role role,
      int most) {
    StoreCheck check =
        new StoreCheck(role, access.place(), settings.rolePrefix(), this::otherIdentity);
    PostgresqlErrors told = new PostgresqlErrors(access);
    Pool pool;
    if (access instanceof ContainerSource source) {
      pool = containerPool(settings, source, callers, role);
    } else {
      Login login = (Login) access;
      ServerSource source =
          new ServerSource(login, settings.connectTimeout(), settings.idleInTransaction(), check);
      pool = new OwnPool(access.role(), most, source, told);
    }
    return new Connections(pool, told, new Rights(role, access.place()));
  }

  private ContainerPool containerPool(
      PostgresqlSettings given,
      ContainerSource source,
      Optional<JtaTransactions> callers,
      StoreCheck.Role role) {
    StoreCheck check =
        new StoreCheck(role, source.place(), given.rolePrefix(), this::otherIdentity);
    return new ContainerPool(source, source.lookUp(), callers, check, new PostgresqlErrors(source));
  }

  /** Where there is a DataSource that is part of callers' transactions, they can be joined. */
  private void joinCallers(PostgresqlSettings given, Optional<JtaTransactions> callers) {
    ContainerPool pool = joining;
    if (pool == null) {
      return;
    }
    boolean wanted = given.jta().isPresent();
    if (callers.isEmpty() || !callers.get().has(pool)) {
      if (wanted) {
        throw new InvalidInput(
            "wovyr.storage.jta-datasource is '%s', and %s"
                .formatted(
                    given.jta().get().name(),
                    callers.isEmpty()
                        ? "no transaction manager was found: give one to PostgresqlStorageProvider"
                        : "its connections are not part of JTA transactions: name one whose are"));
      }
      return;
    }
    TransactionCommit whole =
        new TransactionCommit(
            tables,
            TransactionSettings.ENLISTED,
            history,
            errors,
            () -> hibernate.get(Deadline.after(given.connectTimeout())));
    enlistment =
        new Enlistment(callers.get(), pool, tables, whole, pool.errors(), this::otherEpoch);
  }

  private synchronized void otherIdentity(StoreIdentity found) {
    if (found.epoch() >= identity.epoch()) {
      identity = found;
    }
  }

  private synchronized void otherEpoch(long epoch) {
    if (epoch > identity.epoch()) {
      identity = new StoreIdentity(identity.storeId(), epoch, identity.schemaVersion());
    }
  }

  /** Opens and checks a store; what was opened is closed again when it is not good. */
  static PostgresqlStorage open(
      PostgresqlSettings settings, SessionFactories hibernate, Optional<JtaTransactions> callers) {
    PostgresqlStorage opened = new PostgresqlStorage(settings, hibernate, callers);
    try {
      opened.runtime.probe();
      opened.joinCallers(settings, callers);
      return opened;
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** Runs something on a connection of a role, as it comes from the pool; for tests. */
  <T> T inspect(StoreCheck.Role role, Connections.Work<T> work) {
    @Nullable Connections connections =
        switch (role) {
          case RUNTIME -> runtime;
          case SYSTEM -> system;
          case PURGE -> purging;
        };
    return java.util.Objects.requireNonNull(connections)
        .read(Deadline.after(Duration.ofSeconds(10)), work);
  }

  @Override
  public void useSealing(SealingProvider sealing) {
    history.sealBy(sealing);
  }

  @Override
  public StoreIdentity identity() {
    return identity;
  }

  @Override
  public Set<Capability> capabilities() {
    return enlistment == null ? CAPABILITIES : JOINING;
  }

  @Override
  public Optional<CallersTransaction> callersTransaction() {
    Enlistment joins = enlistment;
    return joins == null ? Optional.empty() : joins.current();
  }

  @Override
  public Enlisted enlist(Batch batch, Deadline deadline) {
    Enlistment joins = enlistment;
    if (joins == null) {
      throw new Rejected(
          "this store cannot join a JTA transaction: it was opened without a DataSource of a"
              + " container whose connections are part of them");
    }
    return joins.enlist(batch, prepare(batch, deadline));
  }

  @Override
  public Limits limits() {
    return LIMITS;
  }

  @Override
  public List<Optional<Row>> read(Scope scope, List<Key> keys, ReadOptions options) {
    if (keys.isEmpty()) {
      return List.of();
    }
    List<NativeRecords.Question> questions =
        keys.stream().map(key -> records.byKey(scope.tenantId(), key)).toList();
    return runtime.read(
        options.deadline(),
        connection -> records.ask(connection, scope.tenantId(), questions, options.deadline()));
  }

  @Override
  public Optional<Row> readUnique(
      Scope scope, RecordType type, String uniqueKey, List<Object> values, ReadOptions options) {
    RecordType.UniqueKey unique =
        type.uniqueKey(uniqueKey)
            .orElseThrow(
                () -> new IllegalArgumentException(type + " has no unique key " + uniqueKey));
    NativeRecords.Question question = records.byUnique(scope.tenantId(), type, unique, values);
    return runtime.read(
        options.deadline(),
        connection ->
            records
                .ask(connection, scope.tenantId(), List.of(question), options.deadline())
                .get(0));
  }

  @Override
  public Page<Row> scan(Scope scope, Scan scan, ReadOptions options) {
    Deadline deadline = options.deadline();
    return runtime.read(
        deadline, connection -> records.scan(connection, scope.tenantId(), scan, deadline));
  }

  @Override
  public Page<ScopedKey> scanSystem(Scope.System scope, Scan scan, ReadOptions options) {
    return system()
        .read(
            options.deadline(),
            connection -> records.keys(connection, scope.tenantId(), scan, options.deadline()));
  }

  private Connections system() {
    Connections connections = system;
    if (connections == null) {
      throw new Rejected(
          "this store was opened without a system role, which alone sees all tenants: set"
              + " wovyr.storage.system-user and system-password");
    }
    return connections;
  }

  @Override
  public List<CommitOutcome> commit(List<Batch> batches, Deadline deadline) {
    if (batches.isEmpty()) {
      return List.of();
    }
    if (batches.size() > LIMITS.mergedBatches()) {
      throw new Rejected(
          "the call has %,d batches; %,d are allowed (mergedBatches)"
              .formatted(batches.size(), LIMITS.mergedBatches()));
    }
    Batch batch = batches.get(0);
    return List.of(commits.commit(batch, prepare(batch, deadline)));
  }

  private Deadline prepare(Batch batch, Deadline deadline) {
    batch
        .violates(LIMITS)
        .ifPresent(
            limit -> {
              throw new Rejected(limit);
            });
    history.prepare(batch);
    // Before any row is locked: nobody waits for Hibernate but who needs it.
    return History.isChangedBy(batch) ? hibernate.ready(deadline) : deadline;
  }

  @Override
  public PurgeOutcome purge(Scope scope, Purge purge, Deadline deadline) {
    if (purges == null) {
      throw new Rejected(
          "this store was opened without a purge role, which alone removes history: set"
              + " wovyr.storage.purge-user (or purge-url)");
    }
    Deadline ready = prepare(purge.batch(), deadline);
    AtomicReference<Purger> last = new AtomicReference<>();
    try {
      CommitOutcome outcome =
          purges.commit(
              purge.batch(),
              ready,
              (connection, point) -> {
                Purger purger = new Purger(purge, tables.of(purge.type()), scope.tenantId());
                last.set(purger);
                Attempt attempt = transactions.run(connection, purge.batch(), purger, point, ready);
                if (purger.heldBy().isPresent()) {
                  throw new HeldBack(purger.heldBy().get());
                }
                return attempt;
              });
      return outcome instanceof CommitOutcome.Conflict conflict
          ? new PurgeOutcome.Conflict(conflict.failed())
          : new PurgeOutcome.Purged(java.util.Objects.requireNonNull(last.get()).removed());
    } catch (HeldBack e) {
      return new PurgeOutcome.HeldBack(e.cursor);
    }
  }

  /** Leaves the retries: a purge that is held back is an answer. */
  private static final class HeldBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient FeedCursor cursor;

    HeldBack(FeedCursor cursor) {
      super(null, null, false, false);
      this.cursor = cursor;
    }
  }

  @Override
  public Statistics statistics(Scope scope, Deadline deadline) {
    boolean all = scope instanceof Scope.System;
    Connections connections = all ? system() : runtime;
    return connections.read(
        deadline,
        connection ->
            StoreStatistics.read(connection, tables, settings, scope.tenantId(), all, deadline));
  }

  @Override
  public FeedChunk feed(Scope scope, Optional<FeedCursor> after, int limit, Deadline deadline) {
    if (limit < 1) {
      throw new InvalidInput("limit must be at least 1, not " + limit);
    }
    Connections connections = scope instanceof Scope.System ? system() : runtime;
    long epoch = identity().epoch();
    return connections.read(
        deadline, connection -> feed.read(connection, scope, after, limit, epoch, deadline));
  }

  @Override
  public Health health() {
    if (closed) {
      return new Health(false, Optional.empty(), Optional.of("the store is closed"));
    }
    Deadline soon = Deadline.after(Duration.ofSeconds(1));
    try {
      if (runtime.read(soon, PostgresqlStorage::isReadOnly)) {
        return new Health(false, Optional.empty(), Optional.of(errors.readOnly()));
      }
      Optional<FeedStall.Holder> holder =
          system == null
              ? Optional.empty()
              : system.read(soon, connection -> feed.holder(connection, soon));
      Optional<Duration> lag =
          system == null
              ? Optional.empty()
              : Optional.of(
                  holder.map(h -> Duration.between(h.since(), h.now())).orElse(Duration.ZERO));
      Optional<String> problem =
          holder
              .filter(h -> Duration.between(h.since(), h.now()).compareTo(LONG_STALL) > 0)
              .map(
                  h ->
                      "the feed is held back since %s by an open transaction of %s: end it"
                          .formatted(h.since(), h.who()));
      Optional<Duration> behind =
          system == null ? Optional.empty() : system.read(soon, replication::lag);
      return new Health(true, lag, problem, holder.map(FeedStall.Holder::who), behind);
    } catch (PersistenceException e) {
      return new Health(false, Optional.empty(), Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /** A transaction open for longer is worth a word. */
  private static final Duration LONG_STALL = Duration.ofSeconds(10);

  private static boolean isReadOnly(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(READ_ONLY);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    }
  }

  @Override
  public void close() {
    closed = true;
    hibernate.close();
    runtime.close();
    if (system != null) {
      system.close();
    }
    if (purging != null) {
      purging.close();
    }
  }
}
