/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The records as JPA entities: one class per {@link
 * io.wovyr.persistence.storage.spi.RecordType}, the same on every relational store. They are the
 * mapping of record: a test holds each of them to its record type. Start at {@link
 * io.wovyr.persistence.jpa.entity.Entities}, which lists them and turns rows into entities and back.
 */
@NullMarked
package io.wovyr.persistence.jpa.entity;

import org.jspecify.annotations.NullMarked;
