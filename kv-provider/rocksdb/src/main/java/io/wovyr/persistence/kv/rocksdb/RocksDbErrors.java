/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.rocksdb;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import java.nio.file.Path;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** What RocksDB's statuses mean for a caller, and what to do about them. Immutable. */
record RocksDbErrors(Path path) {
  /** What broke a read, or opening: nothing was written. */
  StorageFailure beforeWrite(RocksDBException e) {
    if (code(e) == Status.Code.Corruption) {
      return new Corrupt(
          message(e, "is damaged: stop writing, copy its directory, and restore a backup"), e);
    }
    if (isFull(e)) {
      return new Unavailable(
          message(e, "cannot grow: the disk is full. Nothing was written; free space, then retry"),
          e);
    }
    if (code(e) == Status.Code.IOError) {
      return new Unavailable(
          message(
              e,
              "has an input/output error: check the disk, the permissions of the directory, and"
                  + " that it is there, then retry"),
          e);
    }
    return new Unavailable(message(e, "answered with an error: see the cause"), e);
  }

  /** What broke a write: it may lie in the log all the same. */
  OutcomeUnknown atWrite(RocksDBException e) {
    return new OutcomeUnknown(
        message(
            e,
            "failed while writing: the outcome is not known. Open it again, then submit the same"
                + " again"),
        e);
  }

  private static boolean isFull(RocksDBException e) {
    return e.getStatus() != null && e.getStatus().getSubCode() == Status.SubCode.NoSpace;
  }

  private static Status.Code code(RocksDBException e) {
    return e.getStatus() == null ? Status.Code.Undefined : e.getStatus().getCode();
  }

  private String message(RocksDBException e, String what) {
    return "the RocksDB store " + path + " " + what + " (" + code(e) + ")";
  }
}
