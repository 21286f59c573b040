/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A store in a log file, read into memory when it is opened: a provider to learn from. Begin with
 * {@link com.example.logfile.LogFileProvider}, which opens it; {@code LogFileEngine} is what the
 * record layer of {@code wovyr-kv-core} stands on, {@code LogFile} keeps the promises of the disk.
 */
package com.example.logfile;
