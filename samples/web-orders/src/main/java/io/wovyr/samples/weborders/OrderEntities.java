/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.weborders;

import jakarta.persistence.EntityManager;

/**
 * The entity manager of the transaction that the thread is in. A holder, and not an injected entity
 * manager: a client proxy of one breaks its {@code unwrap}.
 */
public interface OrderEntities {
  /** Closed with the transaction. */
  EntityManager current();
}
