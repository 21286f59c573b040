/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The EAR inside servers: tests that run within WildFly and Open Liberty, and what they need around
 * them. Start reading at {@link io.wovyr.persistence.servers.PersistenceInServerIT}; {@link
 * io.wovyr.persistence.servers.Surroundings} starts the database and configures the server.
 */
@NullMarked
package io.wovyr.persistence.servers;

import org.jspecify.annotations.NullMarked;
