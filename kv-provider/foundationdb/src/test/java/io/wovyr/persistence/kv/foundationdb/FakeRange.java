/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.async.AsyncIterable;
import com.apple.foundationdb.async.AsyncIterator;
import io.wovyr.persistence.kv.foundationdb.FakeFdbCluster.KeyRange;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A FAKE of a range that is read page by page. */
final class FakeRange implements AsyncIterable<KeyValue> {
  private static final int PAGE = 50;

  /** Reads a part of the range. */
  interface Source {
    CompletableFuture<List<KeyValue>> read(KeyRange part, int limit);
  }

  private final KeyRange range;
  private final int limit;
  private final boolean reverse;
  private final Source source;

  FakeRange(KeyRange range, int limit, boolean reverse, Source source) {
    this.range = range;
    this.limit = limit;
    this.reverse = reverse;
    this.source = source;
  }

  @Override
  public CompletableFuture<List<KeyValue>> asList() {
    return source.read(range, limit);
  }

  @Override
  public AsyncIterator<KeyValue> iterator() {
    return new Walk();
  }

  private final class Walk implements AsyncIterator<KeyValue> {
    private final Deque<KeyValue> page = new ArrayDeque<>();
    private KeyRange left = range;
    private int walked;
    private boolean ended;
    private @Nullable CompletableFuture<List<KeyValue>> asked;

    @Override
    public CompletableFuture<Boolean> onHasNext() {
      if (!page.isEmpty()) {
        return CompletableFuture.completedFuture(true);
      }
      if (ended || walked == limit) {
        return CompletableFuture.completedFuture(false);
      }
      if (asked == null) {
        asked = source.read(left, Math.min(PAGE, limit - walked));
      }
      CompletableFuture<List<KeyValue>> reading = asked;
      return reading.thenApply(this::take);
    }

    private boolean take(List<KeyValue> found) {
      if (asked != null) {
        asked = null;
        page.addAll(found);
        ended = found.size() < Math.min(PAGE, limit - walked);
        if (!found.isEmpty()) {
          byte[] last = found.get(found.size() - 1).getKey();
          left =
              reverse
                  ? new KeyRange(left.from(), last)
                  : new KeyRange(Arrays.copyOf(last, last.length + 1), left.to());
        }
      }
      return !page.isEmpty();
    }

    @Override
    public boolean hasNext() {
      if (page.isEmpty() && !ended && walked < limit) {
        throw new AssertionError("somebody waits without a limit");
      }
      return !page.isEmpty();
    }

    @Override
    public KeyValue next() {
      if (page.isEmpty()) {
        throw new NoSuchElementException();
      }
      walked++;
      return page.remove();
    }

    @Override
    public void cancel() {
      ended = true;
      page.clear();
    }
  }
}
