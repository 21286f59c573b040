/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.quarantine;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.util.List;
import java.util.Optional;

/**
 * Records of one tenant that cannot be read by this version: written by a newer one, or damaged.
 * Pages of other repositories leave them out, and finding one alone throws; one that has but a
 * value whose envelope is damaged or newer is read everywhere, and throws when that value is
 * opened. Needs {@code MAINTAIN}. Nothing is kept about them: they are found by looking at every
 * record, so listing takes time in proportion to all records of the tenant. Values are not opened.
 * Thread-safe.
 *
 * @since 0.1
 */
public interface Quarantine {
  /** Names of the record types there are, in the order they are looked through. */
  List<String> types();

  /**
   * What cannot be read, by type and key. Looks at no more than 10,000 records: a page may be empty
   * and yet have a next one.
   *
   * <p>Where the store itself cannot read a record, not even its key, that record has an entry
   * without one, and the rest of its type is not looked at.
   *
   * @param type of one type only; empty: of all
   * @throws InvalidInput for a type there is not, or a place of another listing
   */
  Page<QuarantinedRecord> list(Optional<String> type, int limit, Optional<String> after);

  /**
   * What is wrong with one record; empty when there is none, or it can be read.
   *
   * @param key as in {@link QuarantinedRecord#key()}
   * @throws InvalidInput for a type there is not, or a key that is none of it
   */
  Optional<QuarantinedRecord> find(String type, String key);
}
