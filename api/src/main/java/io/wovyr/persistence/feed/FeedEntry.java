/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.feed;

import io.wovyr.persistence.event.WorkflowEvent;

/**
 * One event in the feed.
 *
 * @param cursor where to go on after it
 * @since 0.1
 */
public record FeedEntry(String tenantId, WorkflowEvent event, FeedCursor cursor) {}
