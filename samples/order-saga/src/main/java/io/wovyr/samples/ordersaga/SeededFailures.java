/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * How the systems outside behave: decided by SHA-256 over seed, order, activity and attempt alone,
 * so that every run of a seed meets the same failures, whoever asks and whenever. Immutable.
 */
final class SeededFailures {
  private static final double TRY_AGAIN = 0.13;

  private final long seed;

  SeededFailures(long seed) {
    this.seed = seed;
  }

  /** The answer to this attempt. */
  Answer answer(String orderId, Activity activity, int attempt) {
    byte[] hash = hash("answer", orderId, activity, attempt);
    double dice = unit(hash);
    if (dice < refused(activity)) {
      return new Answer(Answer.Kind.REFUSED, refusal(activity));
    }
    if (dice < refused(activity) + TRY_AGAIN) {
      return new Answer(Answer.Kind.TRY_AGAIN, trouble(activity));
    }
    return new Answer(
        Answer.Kind.DONE, activity.text() + "-" + HexFormat.of().formatHex(hash, 8, 14));
  }

  private static double refused(Activity activity) {
    return switch (activity) {
      case RESERVE_STOCK -> 0.02;
      case CHARGE -> 0.04;
      case SHIP -> 0.03;
      case NOTIFY, SETTLE -> 0.01;
      case REFUND, RELEASE_STOCK -> 0.05;
    };
  }

  private static String refusal(Activity activity) {
    return switch (activity) {
      case RESERVE_STOCK -> "an article is no longer made";
      case CHARGE -> "the bank declined";
      case SHIP -> "no carrier serves the address";
      case NOTIFY -> "the mailbox does not exist";
      case REFUND -> "the account is closed";
      case RELEASE_STOCK -> "the shelf is locked for stocktaking";
      case SETTLE -> "the books are closed";
    };
  }

  private static String trouble(Activity activity) {
    return switch (activity) {
      case RESERVE_STOCK, RELEASE_STOCK -> "the warehouse is busy";
      case CHARGE, REFUND, SETTLE -> "the bank did not answer in time";
      case SHIP -> "no pick-up slot is free";
      case NOTIFY -> "the mail server asks to come back later";
    };
  }

  private static double unit(byte[] hash) {
    return (ByteBuffer.wrap(hash).getLong() >>> 11) * 0x1.0p-53;
  }

  private byte[] hash(String what, String orderId, Activity activity, int attempt) {
    String text = what + "\n" + seed + "\n" + orderId + "\n" + activity.text() + "\n" + attempt;
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
