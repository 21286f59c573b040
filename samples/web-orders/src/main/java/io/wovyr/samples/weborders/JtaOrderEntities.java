/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.weborders;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.transaction.TransactionScoped;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** One for each JTA transaction. */
@TransactionScoped
class JtaOrderEntities implements OrderEntities, Serializable {
  private static final long serialVersionUID = 1L;

  @Inject OrderDatabase database;

  private transient @Nullable EntityManager entities;

  @Override
  public EntityManager current() {
    EntityManager found = entities;
    if (found == null) {
      found = database.factory().createEntityManager();
      entities = found;
    }
    return found;
  }

  @PreDestroy
  void close() {
    if (entities != null) {
      entities.close();
    }
  }
}
