/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.mapping;

import io.wovyr.persistence.storage.spi.Row;

/**
 * Leads a stored row from one entity version to the next. A pure function, thread-safe: it sees
 * what an older node wrote, in the attributes of today, and answers what that node would write now.
 *
 * <p>An attribute that the older shape did not have arrives as null, so a new attribute is declared
 * optional in its {@link io.wovyr.persistence.storage.spi.RecordType} even where the record's
 * component is not: its upcaster fills it. The header's entity version is raised by the caller.
 */
@FunctionalInterface
public interface Upcaster {
  /** The same record, one entity version later. */
  Row upcast(Row older);
}
