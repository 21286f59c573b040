/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

/**
 * A command that changes something. When its answer is lost, the change is made all the same, and
 * whoever runs it again may make it twice.
 */
interface Changing {}
