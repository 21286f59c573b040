/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.Scope;
import liquibase.UpdateSummaryEnum;
import liquibase.UpdateSummaryOutputEnum;
import liquibase.changelog.ChangeSet;
import liquibase.changelog.DatabaseChangeLog;
import liquibase.changelog.visitor.AbstractChangeExecListener;
import liquibase.database.AbstractJdbcDatabase;
import liquibase.database.Database;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.ui.LoggerUIService;

/**
 * The numbered steps of one database's schema, applied by Liquibase, which here neither prints to
 * standard output nor calls home. Whoever applies holds a lock of the database's package that dies
 * with its process; Liquibase's own lock, which does not, is therefore cleared. Thread-safe.
 */
public final class Changelog {
  private final String resource;
  private final Supplier<? extends AbstractJdbcDatabase> kind;

  /**
   * @param resource on this module's class path
   * @param kind makes Liquibase's idea of the database
   */
  public Changelog(String resource, Supplier<? extends AbstractJdbcDatabase> kind) {
    this.resource = resource;
    this.kind = kind;
  }

  /** Something went wrong; the step it happened in was rolled back by the database. */
  public static final class Failed extends Exception {
    private static final long serialVersionUID = 1L;

    Failed(LiquibaseException cause) {
      super(String.valueOf(cause.getMessage()), cause);
    }

    /** The database's own error, when there is one below. */
    public java.util.Optional<SQLException> sqlException() {
      for (Throwable cause = this; cause != null; cause = cause.getCause()) {
        if (cause instanceof SQLException found) {
          return java.util.Optional.of(found);
        }
      }
      return java.util.Optional.empty();
    }
  }

  private interface Work<T> {
    T run(Liquibase liquibase) throws LiquibaseException;
  }

  /** Names of all steps, in order. Needs no database. */
  public List<String> steps() throws Failed {
    List<String> steps = new ArrayList<>();
    try {
      quietly(
          () -> {
            DatabaseChangeLog changeLog =
                new liquibase.parser.core.formattedsql.FormattedSqlChangeLogParser()
                    .parse(
                        resource,
                        new liquibase.changelog.ChangeLogParameters(),
                        new ClassLoaderResourceAccessor(Changelog.class.getClassLoader()));
            for (ChangeSet changeSet : changeLog.getChangeSets()) {
              steps.add(changeSet.getId());
            }
            return steps;
          });
      return steps;
    } catch (LiquibaseException e) {
      throw new Failed(e);
    }
  }

  /** Names of the steps this database has not seen, of those it has. */
  public List<String> pending(Set<String> applied) throws Failed {
    List<String> pending = new ArrayList<>(steps());
    pending.removeAll(applied);
    return pending;
  }

  /** Applies what is pending, each step in a transaction of its own. */
  public void update(Connection connection, Consumer<String> progress) throws Failed {
    run(
        connection,
        liquibase -> {
          liquibase.setChangeExecListener(
              new AbstractChangeExecListener() {
                @Override
                public void willRun(
                    ChangeSet changeSet,
                    DatabaseChangeLog changeLog,
                    Database database,
                    ChangeSet.RunStatus runStatus) {
                  progress.accept("applying " + changeSet.getId());
                }

                @Override
                public void ran(
                    ChangeSet changeSet,
                    DatabaseChangeLog changeLog,
                    Database database,
                    ChangeSet.ExecType execType) {
                  progress.accept("applied " + changeSet.getId());
                }
              });
          liquibase.forceReleaseLocks();
          liquibase.update(new Contexts(), new LabelExpression());
          return liquibase;
        });
  }

  /** Undoes the newest steps. */
  public void rollback(Connection connection, int steps) throws Failed {
    run(
        connection,
        liquibase -> {
          liquibase.rollback(steps, new Contexts(), new LabelExpression());
          return liquibase;
        });
  }

  private void run(Connection connection, Work<Liquibase> work) throws Failed {
    try {
      quietly(
          () -> {
            Database database = kind.get();
            database.setConnection(new JdbcConnection(connection));
            Liquibase liquibase =
                new Liquibase(
                    resource,
                    new ClassLoaderResourceAccessor(Changelog.class.getClassLoader()),
                    database);
            liquibase.setShowSummary(UpdateSummaryEnum.OFF);
            liquibase.setShowSummaryOutput(UpdateSummaryOutputEnum.LOG);
            return work.run(liquibase);
          });
    } catch (LiquibaseException e) {
      throw new Failed(e);
    }
  }

  private interface Quietly<T> {
    T run() throws LiquibaseException;
  }

  private static <T> void quietly(Quietly<T> work) throws LiquibaseException {
    try {
      Scope.child(
          Map.of(
              Scope.Attr.ui.name(),
              new LoggerUIService(),
              Scope.Attr.logService.name(),
              new LiquibaseLog(),
              "liquibase.analytics.enabled",
              false,
              // Nobody can hold the lock that was just cleared: whoever migrates holds ours. The
              // least that Liquibase tries for, in minutes.
              "liquibase.changelogLockWaitTimeInMinutes",
              1L,
              // The same jar twice on a class path is no reason to fail.
              "liquibase.duplicateFileMode",
              "WARN"),
          () -> {
            work.run();
          });
    } catch (LiquibaseException e) {
      throw e;
    } catch (Exception e) {
      throw new LiquibaseException(e);
    }
  }
}
