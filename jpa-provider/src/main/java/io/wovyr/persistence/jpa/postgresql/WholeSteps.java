/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import liquibase.changelog.ChangeSet;
import liquibase.database.core.PostgresDatabase;
import liquibase.exception.DatabaseException;

/**
 * Makes a step of the schema and the note that it was done one transaction. Liquibase commits the
 * step first and its row in {@code databasechangelog} after it: a process that dies between the two
 * leaves a step that is done, looks pending, and fails when it is done again. After a step that
 * failed nothing is committed any more: whoever migrates rolls back, and clears Liquibase's lock
 * the next time. Used by one thread.
 */
final class WholeSteps extends PostgresDatabase {
  private boolean within;

  /** Liquibase says so at the beginning of a step, and {@code false} is: in a transaction. */
  @Override
  public void setAutoCommit(boolean autoCommit) throws DatabaseException {
    within = !autoCommit;
    super.setAutoCommit(autoCommit);
  }

  @Override
  public void commit() throws DatabaseException {
    if (!within) {
      super.commit();
    }
  }

  /** Notes that a step was done, and commits both. */
  @Override
  public void markChangeSetExecStatus(ChangeSet changeSet, ChangeSet.ExecType execType)
      throws DatabaseException {
    within = false;
    super.markChangeSetExecStatus(changeSet, execType);
  }

  /** Removes the note of a step that was undone, and commits both. */
  @Override
  public void removeRanStatus(ChangeSet changeSet) throws DatabaseException {
    within = false;
    super.removeRanStatus(changeSet);
  }
}
