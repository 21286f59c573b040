/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.samples.ordersaga.LedgerRecord.Announced;
import io.wovyr.samples.ordersaga.LedgerRecord.Performed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The world outside: a bank, a warehouse, a carrier in one append-only file that all worker
 * processes share. What it does is what any outside system must do ({@code
 * docs/outside-systems.md}):
 *
 * <ul>
 *   <li>it refuses a fencing token below the highest it saw for that execution;
 *   <li>it answers an idempotency key it knows from its record, and names the token the effect ran
 *       under, so that an effect happens once however often it is asked for.
 * </ul>
 *
 * <p>Every operation takes the file's lock from the operating system (it dies with its process),
 * reads what others wrote meanwhile, appends at most one line and forces it to disk before it
 * answers. A last line torn by a crash is cut off under the lock: it was never answered.
 * Thread-safe; one object per file and process, since the lock belongs to the process.
 */
final class Ledger implements AutoCloseable {
  private final Path file;
  private final FileChannel channel;
  private final boolean durable;
  private final Map<UUID, Long> highestToken = new HashMap<>();
  private final Map<UUID, Map<String, Performed>> effects = new HashMap<>();
  private long offset;

  private Ledger(Path file, FileChannel channel, boolean durable) {
    this.file = file;
    this.channel = channel;
    this.durable = durable;
  }

  /** Opens a ledger, made when there is none. */
  static Ledger open(Path file) {
    return open(file, true);
  }

  /** Opens a ledger that may be lost with the machine: for runs that are thrown away. */
  static Ledger openScratch(Path file) {
    return open(file, false);
  }

  private static Ledger open(Path file, boolean durable) {
    try {
      return new Ledger(
          file,
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
          durable);
    } catch (IOException e) {
      throw new UncheckedIOException("the ledger " + file + " cannot be opened", e);
    }
  }

  /**
   * An effect as the ledger knows it.
   *
   * @param token the one it ran under, which may be an older one than that of who asks now
   * @param repeated it had happened before
   */
  record Effect(Answer answer, long token, boolean repeated) {}

  /** Thrown to a caller whose token is not the newest any more: it must stop and send nothing. */
  static final class StaleToken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StaleToken(UUID executionId, long token, long highest) {
      super(
          "execution %s: token %d is refused, token %d was seen"
              .formatted(executionId, token, highest));
    }
  }

  /**
   * Says that the holder of this token acts from now on: everything under a lower one is refused
   * when this returns. Called right after a lease was acquired, before anything is read or done.
   *
   * @throws StaleToken when a higher one was seen
   */
  void announce(UUID executionId, long token) {
    locked(
        () -> {
          if (token > requireNewest(executionId, token)) {
            append(new Announced(executionId, token));
          }
          return token;
        });
  }

  /**
   * Makes an effect happen once.
   *
   * @param key names the effect within its execution
   * @param business answers when the key is new; nothing happens before it is asked
   * @throws StaleToken when a higher token was seen, even if the effect is known
   */
  Effect perform(UUID executionId, long token, String key, Supplier<Answer> business) {
    return locked(
        () -> {
          requireNewest(executionId, token);
          Optional<Performed> known = find(executionId, key);
          if (known.isPresent()) {
            return new Effect(known.get().answer(), known.get().token(), true);
          }
          Answer answer = business.get();
          append(new Performed(executionId, token, key, answer));
          return new Effect(answer, token, false);
        });
  }

  /** Everything in the ledger, oldest first. */
  List<LedgerRecord> records() {
    return locked(
        () -> {
          List<LedgerRecord> records = new ArrayList<>();
          String text = new String(read(0, offset), StandardCharsets.UTF_8);
          text.lines().forEach(line -> records.add(LedgerRecord.decode(line).orElseThrow()));
          return records;
        });
  }

  @Override
  public synchronized void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<Performed> find(UUID executionId, String key) {
    return Optional.ofNullable(effects.getOrDefault(executionId, Map.of()).get(key));
  }

  private long requireNewest(UUID executionId, long token) {
    long highest = highestToken.getOrDefault(executionId, 0L);
    if (token < highest) {
      throw new StaleToken(executionId, token, highest);
    }
    return highest;
  }

  @FunctionalInterface
  private interface Operation<T> {
    T run() throws IOException;
  }

  private synchronized <T> T locked(Operation<T> operation) {
    try (FileLock lock = channel.lock()) {
      if (!lock.isValid()) {
        throw new IOException("the lock was lost");
      }
      catchUp();
      return operation.run();
    } catch (IOException e) {
      throw new UncheckedIOException("the ledger " + file + " failed", e);
    }
  }

  /**
   * Reads what others appended since; cuts a torn line, which only a dead process can have left.
   */
  private void catchUp() throws IOException {
    long size = channel.size();
    byte[] news = read(offset, size);
    int start = 0;
    for (int end = 0; end < news.length; end++) {
      if (news[end] != '\n') {
        continue;
      }
      String line = new String(news, start, end - start, StandardCharsets.UTF_8);
      Optional<LedgerRecord> record = LedgerRecord.decode(line);
      if (record.isEmpty()) {
        if (end + 1 < news.length) {
          throw new IOException("it is damaged at byte " + offset);
        }
        break;
      }
      remember(record.get());
      offset += end + 1L - start;
      start = end + 1;
    }
    if (offset < size) {
      channel.truncate(offset);
      channel.force(false);
    }
  }

  private byte[] read(long from, long to) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(Math.max(0, to - from)));
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, from + buffer.position()) < 0) {
        throw new IOException("it became shorter while it was locked");
      }
    }
    return buffer.array();
  }

  private void append(LedgerRecord record) throws IOException {
    ByteBuffer line = ByteBuffer.wrap(record.encode());
    int length = line.remaining();
    while (line.hasRemaining()) {
      channel.write(line, offset + line.position());
    }
    if (durable) {
      channel.force(false);
    }
    remember(record);
    offset += length;
  }

  private void remember(LedgerRecord record) {
    highestToken.merge(record.executionId(), record.token(), Math::max);
    if (record instanceof Performed performed) {
      effects
          .computeIfAbsent(record.executionId(), id -> new HashMap<>())
          .putIfAbsent(performed.key(), performed);
    }
  }
}
