/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the layer tells of its work while it runs: how long reads and writes take, how often they
 * fail, how often a guard did not hold, how many rows queries return, how large the store is. Start
 * at {@link io.wovyr.persistence.core.telemetry.Telemetry}; {@link
 * io.wovyr.persistence.core.telemetry.OpenTelemetryInstruments} is the one there is.
 */
@NullMarked
package io.wovyr.persistence.core.telemetry;

import org.jspecify.annotations.NullMarked;
