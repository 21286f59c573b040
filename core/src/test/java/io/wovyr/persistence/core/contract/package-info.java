/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the repositories promise, as tests over any store. Start with {@link
 * io.wovyr.persistence.core.contract.RepositoryContract}: a provider gives a {@link
 * io.wovyr.persistence.core.contract.TestStore} and inherits every contract; {@link
 * io.wovyr.persistence.core.contract.Registration} tells when it forgot one.
 *
 * <p>Query-based updates, which would change records past their version, do not exist here: every
 * write is a batch of records with their versions. There is therefore no contract for C102.
 */
@NullMarked
package io.wovyr.persistence.core.contract;

import org.jspecify.annotations.NullMarked;
