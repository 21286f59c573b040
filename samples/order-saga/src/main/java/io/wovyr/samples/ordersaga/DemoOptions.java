/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.samples.ordersaga.sabotage.Sabotage;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How to run the main job. Immutable; made by {@link #builder()}.
 *
 * @param orders a file of orders, CSV or JSON lines; empty for the one that ships
 * @param workers worker processes at a time, 1 to 64
 * @param kills workers to kill by SIGKILL, 0 to 100
 * @param pauses workers to stall by SIGSTOP beyond their lease's ttl, 0 to 100
 * @param seed decides which attempts fail, and whom kills and pauses strike
 * @param directory where store, ledger and logs go; made when there is none
 * @param resume finish the run that was left there
 * @param fresh throw away the run that was left there
 * @param store where the orders are kept; of a run that is resumed its logins are used
 * @param sabotage a promise of the storage to break; empty for none
 * @param chosen names of the numbers that were given, such as {@code workers}: of a run that is
 *     resumed the others are as it began
 * @param resumeCommand finishes this run when it is interrupted, for people
 * @param json report as JSON on the output, progress on standard error
 * @param leaseTtl after which a silent worker may be replaced, 500 milliseconds to one minute
 * @param patience without any progress after which the run is given up
 */
public record DemoOptions(
    Optional<Path> orders,
    int workers,
    int kills,
    int pauses,
    long seed,
    Path directory,
    boolean resume,
    boolean fresh,
    DemoStore store,
    Optional<Sabotage> sabotage,
    Set<String> chosen,
    String resumeCommand,
    boolean json,
    Duration leaseTtl,
    Duration patience) {
  private static final int MAX_WORKERS = 64;
  private static final int MAX_STRIKES = 100;
  private static final Duration MIN_TTL = Duration.ofMillis(500);
  private static final Duration MAX_TTL = Duration.ofMinutes(1);

  /**
   * @throws IllegalArgumentException when a number is out of its range, naming the option
   */
  public DemoOptions {
    chosen = Set.copyOf(chosen);
    range("--workers", workers, 1, MAX_WORKERS);
    range("--kills", kills, 0, MAX_STRIKES);
    range("--pauses", pauses, 0, MAX_STRIKES);
    if (leaseTtl.compareTo(MIN_TTL) < 0 || leaseTtl.compareTo(MAX_TTL) > 0) {
      throw new IllegalArgumentException(
          "the lease ttl must be " + MIN_TTL + " to " + MAX_TTL + ", not " + leaseTtl);
    }
    if (store instanceof DemoStore.Alone && sabotage.equals(Optional.of(Sabotage.SKIP_FENCING))) {
      throw new IllegalArgumentException(
          "--sabotage "
              + Sabotage.SKIP_FENCING.text()
              + " shows only where a stalled worker writes late, and a store that one process at a"
              + " time has open has none");
    }
    if (resume && fresh) {
      throw new IllegalArgumentException("--resume and --fresh exclude each other");
    }
  }

  /** As the run began that is resumed, where nothing else was said. */
  DemoOptions resuming(RunDirectory.Run run) {
    if (chosen.contains("seed") && seed != run.seed()) {
      throw new UnusableInput(
          "the run in %s has the seed %d, which decides what fails: leave --seed out, or begin another run"
              .formatted(directory, run.seed()),
          null);
    }
    if (orders.isPresent() && !isSameFile(orders.get(), run.orderFile())) {
      throw new UnusableInput(
          "the run in %s has its orders from %s, as they were read then: leave --orders out, or begin another run"
              .formatted(directory, run.orderFile()),
          null);
    }
    RunDirectory.Plan plan = run.plan();
    return new DemoOptions(
        orders,
        plan == null || chosen.contains("workers") ? workers : plan.workers(),
        plan == null || chosen.contains("kills") ? kills : plan.kills(),
        plan == null || chosen.contains("pauses") ? pauses : plan.pauses(),
        run.seed(),
        directory,
        resume,
        fresh,
        store,
        sabotage,
        chosen,
        resumeCommand,
        json,
        leaseTtl,
        patience);
  }

  /** However it was named; what the run began with may be no file at all. */
  private static boolean isSameFile(Path given, String former) {
    try {
      return given
          .toAbsolutePath()
          .normalize()
          .equals(Path.of(former).toAbsolutePath().normalize());
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static void range(String option, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          option + " must be " + min + " to " + max + ", not " + value);
    }
  }

  /** All defaults: the shipped orders, 4 workers, 3 kills, 2 pauses, seed 1. */
  public static Builder builder() {
    return new Builder();
  }

  /** See {@link DemoOptions}. Not thread-safe. */
  public static final class Builder {
    private @Nullable Path orders;
    private int workers = 4;
    private int kills = 3;
    private int pauses = 2;
    private long seed = 1;
    private Path directory = Path.of("wovyr-demo");
    private boolean resume;
    private boolean fresh;
    private DemoStore store = new DemoStore.Sqlite();
    private @Nullable Sabotage sabotage;
    private final Set<String> chosen = new HashSet<>();
    private @Nullable String resumeCommand;
    private boolean json;
    private Duration leaseTtl = Duration.ofMillis(1500);
    private Duration patience = Duration.ofSeconds(60);

    private Builder() {}

    /** See {@link DemoOptions#orders()}. */
    public Builder orders(@Nullable Path file) {
      orders = file;
      return this;
    }

    /** See {@link DemoOptions#workers()}. */
    public Builder workers(int count) {
      workers = count;
      chosen.add("workers");
      return this;
    }

    /** See {@link DemoOptions#kills()}. */
    public Builder kills(int count) {
      kills = count;
      chosen.add("kills");
      return this;
    }

    /** See {@link DemoOptions#pauses()}. */
    public Builder pauses(int count) {
      pauses = count;
      chosen.add("pauses");
      return this;
    }

    /** See {@link DemoOptions#seed()}. */
    public Builder seed(long value) {
      seed = value;
      chosen.add("seed");
      return this;
    }

    /** See {@link DemoOptions#directory()}. */
    public Builder directory(Path path) {
      directory = path;
      return this;
    }

    /** See {@link DemoOptions#resume()}. */
    public Builder resume(boolean wanted) {
      resume = wanted;
      return this;
    }

    /** See {@link DemoOptions#fresh()}. */
    public Builder fresh(boolean wanted) {
      fresh = wanted;
      return this;
    }

    /** See {@link DemoOptions#store()}. */
    public Builder store(DemoStore where) {
      store = where;
      return this;
    }

    /** See {@link DemoOptions#sabotage()}. */
    public Builder sabotage(@Nullable Sabotage wanted) {
      sabotage = wanted;
      return this;
    }

    /** See {@link DemoOptions#resumeCommand()}; default one without options of the store. */
    public Builder resumeCommand(String command) {
      resumeCommand = command;
      return this;
    }

    /** See {@link DemoOptions#json()}. */
    public Builder json(boolean wanted) {
      json = wanted;
      return this;
    }

    /** See {@link DemoOptions#leaseTtl()}. */
    public Builder leaseTtl(Duration ttl) {
      leaseTtl = ttl;
      return this;
    }

    /** See {@link DemoOptions#patience()}. */
    public Builder patience(Duration duration) {
      patience = duration;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException when a number is out of its range, naming the option
     */
    public DemoOptions build() {
      return new DemoOptions(
          Optional.ofNullable(orders),
          workers,
          kills,
          pauses,
          seed,
          directory,
          resume,
          fresh,
          store,
          Optional.ofNullable(sabotage),
          chosen,
          resumeCommand == null ? "wovyr demo --resume --directory " + directory : resumeCommand,
          json,
          leaseTtl,
          patience);
    }
  }
}
