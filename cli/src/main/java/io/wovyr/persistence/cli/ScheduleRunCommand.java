/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Persistence.DueSchedule;
import io.wovyr.persistence.Persistence.SystemAccess;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.schedule.Scheduler;
import io.wovyr.persistence.schedule.Scheduler.Begun;
import io.wovyr.persistence.schedule.Scheduler.Outcome;
import io.wovyr.persistence.schedule.Scheduler.Result;
import io.wovyr.persistence.schedule.SchedulerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Fires what is due, until it is stopped. */
@Command(
    name = "run",
    description = {
      "Fires schedules when they are due, until it is interrupted. Of those that run at a time one",
      "fires and the others stand by. With --output json: one document a line.",
      "Durations are in ISO 8601, such as PT10M."
    })
final class ScheduleRunCommand extends StoreCommand implements Changing {
  private static final int MOST_COUNTED = 1_000;
  private static final Duration LONGEST = Duration.ofDays(36_500);

  @Option(
      names = "--once",
      description = "Fire what is due now, and end: with 1 when something could not be fired.")
  private boolean once;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "End this time after its first look.")
  private @Nullable Duration runFor;

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      description = "The pause between two looks, PT0.01S to PT1H; default PT1S.")
  private Duration every = Duration.ofSeconds(1);

  @Option(
      names = "--lease",
      paramLabel = "DURATION",
      description = "How long others stand by when this one is gone; default PT10S.")
  private Duration lease = Duration.ofSeconds(10);

  @Option(names = "--no-lease", description = "Fire beside others instead of standing by.")
  private boolean noLease;

  @Option(names = "--all-tenants", description = "Those of all tenants, not of one.")
  private boolean allTenants;

  @Override
  ExitCode run() {
    if (once && runFor != null) {
      throw new InvalidInput("give --once or --for, not both");
    }
    if (runFor != null
        && (runFor.isNegative() || runFor.isZero() || runFor.compareTo(LONGEST) > 0)) {
      throw new InvalidInput(
          "--for is a time to run, such as PT10M, at most 36,500 days, not " + runFor);
    }
    SchedulerOptions options =
        SchedulerOptions.of("wovyr command").lookingEvery(every).withLease(lease);
    SchedulerOptions leased = noLease || once ? options.withoutLease() : options;
    SchedulerOptions ours = allTenants ? leased : leased.withTenant(tenant());
    requireSystemRole("schedule run");
    try (Persistence persistence = open()) {
      return once ? once(persistence, ours) : follow(persistence, ours);
    }
  }

  private ExitCode once(Persistence persistence, SchedulerOptions options) {
    try (Scheduler scheduler = persistence.scheduler(options)) {
      boolean failed = false;
      boolean more = true;
      while (more) {
        List<Outcome> outcomes = scheduler.fireDue();
        outcomes.forEach(this::print);
        more = outcomes.stream().anyMatch(outcome -> outcome.result() == Result.FIRED);
        failed |= outcomes.stream().anyMatch(outcome -> outcome.problem().isPresent());
      }
      return failed ? ExitCode.FAILED : ExitCode.OK;
    }
  }

  private ExitCode follow(Persistence persistence, SchedulerOptions options) {
    Timer timer = new Timer("scheduler-end", true);
    AtomicBoolean over = new AtomicBoolean();
    try (Scheduler scheduler = persistence.scheduler(options)) {
      Runnable end = () -> end(scheduler, over);
      // Interrupted, it ends the fire under way and lets another one go on at once.
      Thread onInterrupt = new Thread(end, "scheduler-stop");
      Runtime.getRuntime().addShutdownHook(onInterrupt);
      if (runFor != null) {
        // The first look is slow, and what it finds was due before: the time begins behind it.
        unlessOver(over, () -> lookOnce(scheduler));
        timer.schedule(task(end), runFor.toMillis());
      }
      unlessOver(
          over,
          () ->
              scheduler.run(
                  outcome -> {
                    print(outcome);
                    if (out().checkError()) {
                      // Nobody reads what is fired: end as other commands that follow do.
                      end.run();
                    }
                  }));
      forget(onInterrupt);
      if (runFor != null) {
        tellOfRest(persistence);
      }
      return ExitCode.OK;
    } finally {
      timer.cancel();
    }
  }

  private static void end(Scheduler scheduler, AtomicBoolean over) {
    over.set(true);
    scheduler.close();
  }

  /** What was ended before it began is not begun: a scheduler that is closed refuses to. */
  static void unlessOver(AtomicBoolean over, Runnable work) {
    try {
      if (!over.get()) {
        work.run();
      }
    } catch (IllegalStateException e) {
      if (!over.get()) {
        throw e;
      }
    }
  }

  private void lookOnce(Scheduler scheduler) {
    try {
      scheduler.fireDue().forEach(this::print);
    } catch (StorageFailure e) {
      // The looks that follow try again, and say what does not pass.
      return;
    }
  }

  /** Whoever ends a scheduler should know what it leaves. What it did stays good all the same. */
  private void tellOfRest(Persistence persistence) {
    String rest;
    try {
      rest = rest(persistence.system("wovyr schedule run"));
    } catch (StorageFailure e) {
      rest =
          "what is still due is not known (%s)"
              .formatted(Human.oneLine(String.valueOf(e.getMessage())));
    }
    if (!rest.isEmpty()) {
      String look = "schedule run --once" + (allTenants ? " --all-tenants" : "");
      console().error().println(rest + ": " + again(look));
    }
  }

  private String rest(SystemAccess system) {
    Predicate<DueSchedule> ours = due -> allTenants || due.tenantId().equals(tenant());
    int rest = countDue(system, ours, MOST_COUNTED);
    if (rest >= MOST_COUNTED) {
      return "%,d or more schedules are still due".formatted(MOST_COUNTED);
    }
    return switch (rest) {
      case 0 -> "";
      case 1 -> "1 schedule is still due";
      default -> rest + " schedules are still due";
    };
  }

  /** Page by page, since those of others may come first; no more than {@code most}. */
  static int countDue(SystemAccess system, Predicate<DueSchedule> wanted, int most) {
    long count = 0;
    Optional<String> next = Optional.empty();
    do {
      Page<DueSchedule> page = system.dueSchedules(most, next);
      count += page.items().stream().filter(wanted).count();
      next = page.next();
    } while (next.isPresent() && count < most);
    return (int) Math.min(count, most);
  }

  private void print(Outcome outcome) {
    if (outcome.result() == Result.LOST) {
      // Another one did it.
      return;
    }
    if (json()) {
      Json.print(out(), json(outcome));
    } else if (outcome.problem().isPresent()) {
      console().error().println(name(outcome) + ": " + outcome.problem().get());
    } else {
      lines(name(outcome), outcome).forEach(out()::println);
    }
    out().flush();
  }

  /** One for every execution. */
  static List<String> lines(String name, Outcome outcome) {
    return outcome.executions().isEmpty()
        ? List.of(name + ": passed over")
        : outcome.executions().stream()
            .map(
                begun ->
                    "%s: fired %s (%s)".formatted(name, begun.workflowId(), begun.executionId()))
            .toList();
  }

  private String name(Outcome outcome) {
    return allTenants ? outcome.tenantId() + "/" + outcome.schedule() : outcome.schedule();
  }

  private static JsonObject json(Outcome outcome) {
    return new JsonObject()
        .put("tenantId", outcome.tenantId())
        .put("schedule", outcome.schedule())
        .put("result", outcome.result())
        .put("executions", outcome.executions().stream().map(ScheduleRunCommand::json).toList())
        .put("problem", outcome.problem());
  }

  private static JsonObject json(Begun begun) {
    return new JsonObject()
        .put("executionId", begun.executionId())
        .put("workflowId", begun.workflowId());
  }

  private static TimerTask task(Runnable work) {
    return new TimerTask() {
      @Override
      public void run() {
        work.run();
      }
    };
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending: it is what the hook is for.
    }
  }
}
