/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.payload.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A history of attempts as one value, layout {@link #LAYOUT} of {@code docs/format/attempts.md}.
 * Equal histories give equal bytes. Stateless, thread-safe.
 */
public final class AttemptsCodec {
  /** Layout written here, and the newest that is read. */
  public static final int LAYOUT = 1;

  /** Content type of the value; reserved, so that it tells a history from a bare reason. */
  public static final String CONTENT_TYPE = "application/vnd.wovyr.attempts";

  private static final int FAILED = 1;
  private static final int LEFT = 2;
  private static final int NO_REASON = 0;
  private static final int REASON = 1;
  private static final long NO_DELAY = -1;

  private static final int HEADER_BYTES = 1 + Integer.BYTES;

  /** Of an attempt without texts and reason. */
  private static final int FIXED_BYTES = 1 + Integer.BYTES + 2 * Long.BYTES + Short.BYTES + 1;

  private AttemptsCodec() {}

  /**
   * The value of these attempts, first one first, within bounds: the newest is kept whole; of the
   * others as many as both bounds allow, newest first, those that do not fit with their reason
   * without it.
   *
   * @param most attempts, at least 1
   * @param mostBytes of the whole value, unless the newest attempt alone has more
   */
  public static Payload encode(List<Attempt> attempts, int most, int mostBytes) {
    Deque<byte[]> parts = new ArrayDeque<>();
    long size = HEADER_BYTES;
    boolean reasons = true;
    for (int i = attempts.size() - 1; i >= 0 && parts.size() < most; i--) {
      Attempt attempt = attempts.get(i);
      byte[] part = bytes(reasons ? attempt : attempt.withoutReason());
      if (!parts.isEmpty() && size + part.length > mostBytes && reasons) {
        // No reason older than one that is left out is kept: a history has no holes.
        reasons = false;
        part = bytes(attempt.withoutReason());
      }
      if (!parts.isEmpty() && size + part.length > mostBytes) {
        break;
      }
      parts.addFirst(part);
      size += part.length;
    }
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size));
    out.put((byte) LAYOUT).putInt(parts.size());
    parts.forEach(out::put);
    return new Payload(CONTENT_TYPE, Bytes.wrap(out.array()));
  }

  private static byte[] bytes(Attempt attempt) {
    byte[] error = attempt.error().getBytes(StandardCharsets.UTF_8);
    byte[] type =
        attempt.reason().map(Payload::contentType).orElse("").getBytes(StandardCharsets.UTF_8);
    byte[] content = attempt.reason().map(Payload::content).orElse(Bytes.EMPTY).unsafeArray();
    int reasonBytes =
        attempt.reason().isEmpty()
            ? 0
            : Math.addExact(Short.BYTES + type.length + Integer.BYTES, content.length);
    ByteBuffer out =
        ByteBuffer.allocate(Math.addExact(FIXED_BYTES + error.length, reasonBytes))
            .put((byte) (attempt.end() == Attempt.End.FAILED ? FAILED : LEFT))
            .putInt(attempt.number())
            .putLong(micros(attempt.at()))
            .putLong(attempt.delay().map(AttemptsCodec::micros).orElse(NO_DELAY))
            .putShort((short) error.length)
            .put(error)
            .put((byte) (attempt.reason().isPresent() ? REASON : NO_REASON));
    if (attempt.reason().isPresent()) {
      out.putShort((short) type.length).put(type).putInt(content.length).put(content);
    }
    return out.array();
  }

  private static long micros(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
  }

  private static long micros(Duration delay) {
    return Math.addExact(
        Math.multiplyExact(delay.getSeconds(), 1_000_000L), delay.getNano() / 1_000);
  }

  /**
   * Reads what {@link #encode} wrote. Allocates no more than a small multiple of the input.
   *
   * @throws io.wovyr.persistence.PersistenceException.UnsupportedVersion for a layout or an end
   *     that is not known here
   * @throws Corrupt when the bytes are no history of attempts
   */
  public static List<Attempt> decode(Bytes encoded) {
    LayoutReader in = new LayoutReader(encoded, "a history of attempts");
    in.requireLayout(LAYOUT);
    int count = in.readCount(FIXED_BYTES);
    if (count < 1) {
      throw in.cut();
    }
    List<Attempt> attempts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      attempts.add(read(in));
    }
    in.requireEnd();
    return List.copyOf(attempts);
  }

  private static Attempt read(LayoutReader in) {
    int end = in.readByte();
    if (end != FAILED && end != LEFT) {
      throw in.unknown("end", end);
    }
    int number = in.readInt();
    long at = in.readLong();
    long delay = in.readLong();
    if (number < 0 || delay < NO_DELAY) {
      throw new Corrupt("a history of attempts has a negative number", null);
    }
    return new Attempt(
        end == FAILED ? Attempt.End.FAILED : Attempt.End.LEFT,
        number,
        Instant.ofEpochSecond(
            Math.floorDiv(at, 1_000_000L), Math.floorMod(at, 1_000_000L) * 1_000L),
        in.readText(),
        delay == NO_DELAY ? Optional.empty() : Optional.of(duration(delay)),
        readReason(in));
  }

  private static Duration duration(long micros) {
    return Duration.ofSeconds(micros / 1_000_000L, micros % 1_000_000L * 1_000L);
  }

  private static Optional<Payload> readReason(LayoutReader in) {
    int kind = in.readByte();
    if (kind == NO_REASON) {
      return Optional.empty();
    }
    if (kind != REASON) {
      throw in.unknown("kind of reason", kind);
    }
    String type = in.readText();
    Bytes content = in.readBlock();
    try {
      return Optional.of(new Payload(type, content));
    } catch (InvalidInput e) {
      throw new Corrupt("a history of attempts has a reason without a valid content type", e);
    }
  }
}
