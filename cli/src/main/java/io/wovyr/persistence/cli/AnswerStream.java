/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where answers go. It remembers why something could not be written, which a {@link PrintStream}
 * forgets. As thread-safe as that.
 */
final class AnswerStream extends PrintStream {
  private static final String READER_GONE = "Broken pipe";

  private final Watched watched;

  private AnswerStream(Watched watched) {
    super(watched, true, StandardCharsets.UTF_8);
    this.watched = watched;
  }

  static AnswerStream over(OutputStream target) {
    return new AnswerStream(new Watched(target));
  }

  /** Whether something is missing that somebody wants: {@code | head} has seen enough. */
  static boolean isLost(PrintStream out) {
    return out.checkError() && !reason(out).contains(READER_GONE);
  }

  /** What the system said about it. */
  static String reason(PrintStream out) {
    IOException failure = out instanceof AnswerStream answers ? answers.watched.failure : null;
    String reason = failure == null ? null : failure.getMessage();
    return reason == null ? "an error" : reason;
  }

  private static final class Watched extends FilterOutputStream {
    private volatile @Nullable IOException failure;

    Watched(OutputStream target) {
      super(target);
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }
}
