/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The {@code wovyr} command, for people and for scripts: every command answers in text laid out for
 * a terminal, or in JSON that keeps its shape. Start reading at {@link
 * io.wovyr.persistence.cli.Wovyr}, then {@code WovyrCommand} (the options) and any command beside
 * it; every failure becomes an exit code in {@code ExitCode}.
 */
@NullMarked
package io.wovyr.persistence.cli;

import org.jspecify.annotations.NullMarked;
