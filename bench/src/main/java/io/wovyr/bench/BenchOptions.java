/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What to measure, and for how long. Immutable.
 *
 * @param provider {@code sqlite}, {@code postgresql} or {@code rocksdb}
 * @param url of a PostgreSQL server's superuser, with user and password; empty: a server is started
 * @param directory where stores are made; empty: a temporary one, removed at the end
 * @param modes what is measured, in the order of {@link Mode}
 * @param rounds turns of each column that count
 * @param seconds of one turn
 * @param warmUp seconds that each column runs before anything counts
 * @param callers numbers of concurrent callers
 * @param steps how many the soak takes
 * @param executions present in the latency mode
 * @param waiting executions, and as many schedules, of the due mode
 * @param json true for one JSON document instead of tables
 * @since 0.1
 */
public record BenchOptions(
    String provider,
    Optional<String> url,
    Optional<Path> directory,
    Set<Mode> modes,
    int rounds,
    double seconds,
    double warmUp,
    List<Integer> callers,
    long steps,
    int executions,
    int waiting,
    boolean json) {
  /** What can be measured. */
  public enum Mode {
    /** Durable steps beside the floor. */
    STEP,
    /** Loading the events of one execution beside the floor. */
    LOAD,
    /** Percentiles at half of what is possible. */
    LATENCY,
    /** Memory over many steps. */
    SOAK,
    /** Finding what is due among very many that wait. */
    DUE,
    /** What sealing costs a step. */
    SEALING,
    /** Durable steps inside JTA transactions beside the same by hand; on PostgreSQL. */
    ENLIST
  }

  public BenchOptions {
    modes = modes.isEmpty() ? Set.of() : EnumSet.copyOf(modes);
    callers = List.copyOf(callers);
    check(
        List.of("sqlite", "postgresql", "rocksdb").contains(provider),
        "--provider is sqlite, postgresql or rocksdb, not '" + provider + "'");
    check(
        !provider.equals("rocksdb") || EnumSet.of(Mode.STEP, Mode.LOAD).containsAll(modes),
        "--mode is step or load for --provider rocksdb");
    check(url.isEmpty() || provider.equals("postgresql"), "--url is for --provider postgresql");
    check(
        url.isEmpty() || url.get().startsWith("jdbc:postgresql:"),
        "--url begins with jdbc:postgresql: and names a superuser and its password");
    check(!modes.isEmpty(), "--mode names nothing to measure");
    check(
        !modes.contains(Mode.ENLIST) || provider.equals("postgresql"),
        "--mode enlist is for --provider postgresql");
    check(rounds >= 1 && rounds <= 1_000, "--rounds is 1 to 1000");
    check(seconds >= 0.05 && seconds <= 3_600, "--seconds is 0.05 to 3600");
    check(warmUp >= 0 && warmUp <= 3_600, "--warm-up is 0 to 3600 seconds");
    check(
        !callers.isEmpty() && callers.stream().allMatch(n -> n >= 1 && n <= 200),
        "--callers are 1 to 200, with commas between them");
    check(steps >= 100 && steps <= 1_000_000_000, "--steps is 100 to 1000000000");
    check(executions >= 10 && executions <= 10_000_000, "--executions is 10 to 10000000");
    check(waiting >= 1_000 && waiting <= 10_000_000, "--waiting is 1000 to 10000000");
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  int mostCallers() {
    return callers.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static BenchOptions of(List<String> arguments) {
    return of(arguments, Optional.empty());
  }

  /**
   * Reads a command line.
   *
   * @param url where it does not name one
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static BenchOptions of(List<String> arguments, Optional<String> url) {
    Words words = new Words(arguments);
    String provider = words.take("--provider", "sqlite");
    BenchOptions options =
        new BenchOptions(
            provider,
            words.take("--url").or(() -> url),
            words.take("--directory").map(Path::of),
            modes(words.take("--mode", "step,load")),
            (int) whole("--rounds", words.take("--rounds", "5")),
            decimal("--seconds", words.take("--seconds", "2")),
            decimal("--warm-up", words.take("--warm-up", "5")),
            callers(words.take("--callers", "1,8,32")),
            whole("--steps", words.take("--steps", "1000000")),
            (int) whole("--executions", words.take("--executions", "100000")),
            (int) whole("--waiting", words.take("--waiting", "1000000")),
            words.has("--json"));
    words.checkEmpty();
    return options;
  }

  private static Set<Mode> modes(String text) {
    Set<Mode> modes = EnumSet.noneOf(Mode.class);
    for (String name : text.split(",")) {
      modes.add(
          Arrays.stream(Mode.values())
              .filter(mode -> mode.name().equals(name.strip().toUpperCase(Locale.ROOT)))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "--mode is step, load, latency, soak, due, sealing or enlist, not '"
                              + name
                              + "'")));
    }
    return modes;
  }

  private static List<Integer> callers(String text) {
    return Arrays.stream(text.split(","))
        .map(number -> (int) whole("--callers", number.strip()))
        .toList();
  }

  private static long whole(String option, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " is a whole number, not '" + text + "'");
    }
  }

  private static double decimal(String option, String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " is a number, not '" + text + "'");
    }
  }

  /** The words of the command line that nobody has asked for yet. */
  private static final class Words {
    private final List<String> left;

    Words(List<String> words) {
      left = new ArrayList<>(words);
    }

    boolean has(String option) {
      return left.remove(option);
    }

    String take(String option, String otherwise) {
      return take(option).orElse(otherwise);
    }

    Optional<String> take(String option) {
      int at = left.indexOf(option);
      if (at < 0) {
        return Optional.empty();
      }
      check(at + 1 < left.size(), option + " needs a value");
      left.remove(at);
      return Optional.of(left.remove(at));
    }

    void checkEmpty() {
      check(left.isEmpty(), "unknown: " + String.join(" ", left));
    }
  }
}
