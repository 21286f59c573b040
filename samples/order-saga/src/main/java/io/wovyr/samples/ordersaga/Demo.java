/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.samples.ordersaga.Controller.Interrupted;
import io.wovyr.samples.ordersaga.Controller.Outcome;
import io.wovyr.samples.ordersaga.OrderFile.Malformed;
import io.wovyr.samples.ordersaga.Report.Speed;
import io.wovyr.samples.ordersaga.RunDirectory.Plan;
import io.wovyr.samples.ordersaga.RunDirectory.Run;
import io.wovyr.samples.ordersaga.sabotage.Sabotage;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The main job: runs the saga of every order in worker processes, kills and stalls some of them,
 * and proves at the end that nothing was lost, doubled or written late. See {@code docs/demo.md}.
 */
public final class Demo {
  /** Exit code: every order ended and every proof holds. */
  public static final int OK = 0;

  /** Exit code: a proof failed. */
  public static final int PROOF_FAILED = 1;

  /**
   * Exit code: an option, the file of orders or the directory cannot be used; nothing was begun.
   */
  public static final int UNUSABLE_INPUT = 2;

  /** Exit code: the run could not be carried through; what is stored can be resumed. */
  public static final int CANNOT_GO_ON = 3;

  /** Exit code: interrupted by SIGINT or SIGTERM; what is stored can be resumed. */
  public static final int INTERRUPTED = 130;

  private static final int MALFORMED_REPORTED = 100;

  private DemoOptions options;
  private final PrintStream out;
  private final PrintStream progress;
  private final Screen screen;
  private final long startedAtNanos = System.nanoTime();
  private boolean begun;

  private Demo(DemoOptions options, PrintStream out, Screen screen) {
    this.options = options;
    this.out = out;
    this.screen = screen;
    this.progress = screen.out();
  }

  /**
   * Runs the main job.
   *
   * @param out gets progress and the report, or the report as JSON alone
   * @param error gets what went wrong, and progress beside JSON
   * @return one of the exit codes above
   * @throws PersistenceException when the store cannot be used, and nothing was begun; the message
   *     says what to do
   */
  public static int run(DemoOptions options, PrintStream out, PrintStream error) {
    return run(options, out, error, Optional.empty());
  }

  /**
   * As {@link #run(DemoOptions, PrintStream, PrintStream)}, its progress on one line of a terminal.
   *
   * @param error as before that line ({@link ProgressLine#before})
   * @param line empty for progress in lines of its own
   */
  public static int run(
      DemoOptions options, PrintStream out, PrintStream error, Optional<ProgressLine> line) {
    PrintStream progress = options.json() ? error : out;
    Demo demo = new Demo(options, out, new Screen(progress, error, line));
    try {
      return demo.run();
    } catch (UnusableInput e) {
      return failed(DemoFailure.unusable(String.valueOf(e.getMessage())), options, error);
    } catch (Interrupted e) {
      return INTERRUPTED;
    } catch (CannotGoOn | PersistenceException e) {
      progress.flush();
      if (!demo.begun && e instanceof PersistenceException unusable) {
        throw unusable;
      }
      String resume =
          demo.begun
              ? "%nWhat is stored stays as it is. Go on with it: %s"
                  .formatted(options.resumeCommand())
              : "";
      return failed(
          DemoFailure.cannotGoOn("The run cannot go on: " + e.getMessage() + resume),
          options,
          error);
    }
  }

  /** The tenant to which the orders of the run in this directory belong. */
  public static String tenantOf(Path directory) {
    return RunDirectory.look(directory).store().tenant();
  }

  /** The keystore that a run made because it was given none; empty when it was given one. */
  public static Optional<Path> keystoreOf(Path directory) {
    return Optional.of(RunDirectory.keystore(directory)).filter(Files::exists);
  }

  private static int failed(DemoFailure failure, DemoOptions options, PrintStream error) {
    failure.print(error, options.json());
    return failure.exit();
  }

  private int run() {
    // Looked at before the directory is touched: what is unusable leaves everything as it was.
    Optional<OrderFile> file =
        options.resume()
            ? Optional.empty()
            : Optional.of(
                options.orders().map(OrderReader::read).orElseGet(OrderReader::readShipped));
    RunStore.check(options.store(), options.resume());
    boolean sealed = options.sabotage().isEmpty();
    try (RunDirectory directory =
            options.resume()
                ? RunDirectory.resume(options.directory())
                : RunDirectory.begin(options.directory(), options.fresh());
        Shutdown shutdown = new Shutdown();
        RunStore store =
            options.resume()
                ? RunStore.resume(options.store(), sealed, directory, shutdown)
                : RunStore.begin(options.store(), sealed, directory, shutdown)) {
      file.ifPresent(orders -> prepare(directory, store, orders));
      Run run = directory.run();
      if (options.resume()) {
        options = options.resuming(run);
      }
      begun = true;
      List<Order> orders = directory.orders();
      announce(directory, run, orders);
      Report report = runAndProve(directory, store, shutdown, orders);
      out.print(options.json() ? Json.writePretty(report) + "\n" : ReportText.of(report));
      out.flush();
      directory.write(run.ended());
      return report.holds() ? OK : PROOF_FAILED;
    }
  }

  private void prepare(RunDirectory directory, RunStore store, OrderFile file) {
    directory.writeOrders(file.orders());
    Ledger.open(directory.ledger()).close();
    directory.write(
        new Run(
            options.seed(),
            new Plan(options.workers(), options.kills(), options.pauses()),
            options.leaseTtl().toMillis(),
            file.name(),
            file.malformed(),
            store.kind(),
            false));
  }

  private void announce(RunDirectory directory, Run run, List<Order> orders) {
    progress.printf(
        Locale.ROOT,
        "%s %s from %s with %s, %s, %s, seed %d%n",
        options.resume() ? "Resuming" : "Running",
        counted(orders.size(), "order"),
        run.orderFile(),
        counted(options.workers(), "worker"),
        counted(options.kills(), "kill"),
        counted(stalls(), "stall"),
        run.seed());
    if (options.store() instanceof DemoStore.Alone alone && options.pauses() > 0) {
      progress.printf(
          "One process at a time has a store of the provider %s open: workers are threads of it,"
              + " every kill takes all of them, and nobody is stalled%n",
          alone.provider());
    }
    directory
        .former()
        .ifPresent(
            former ->
                progress.printf(
                    "The run that was in %s is kept in %s%n", directory.path(), former));
    progress.println("Orders are in " + run.store().text());
    progress.println("Ledger and logs are in " + directory.path());
    options
        .sabotage()
        .ifPresent(sabotage -> progress.println("Sabotage on purpose: " + sabotage.text()));
    progress.flush();
  }

  /** A process that stands still has the store, and nobody beside it could take over. */
  private int stalls() {
    return options.store() instanceof DemoStore.Alone ? 0 : Controller.stalls(options);
  }

  private static String counted(int number, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
  }

  private Report runAndProve(
      RunDirectory directory, RunStore store, Shutdown shutdown, List<Order> orders) {
    if (store.isAlone()) {
      NodeRun nodes = new NodeRun(options, directory, orders, store, shutdown, screen);
      Outcome outcome = nodes.run(startedAtNanos);
      try (Persistence persistence = store.settings().persistence(store.settings().open());
          Ledger ledger = Ledger.open(directory.ledger())) {
        return prove(directory, store, orders, persistence, ledger, nodes.chaosLog(), outcome);
      }
    }
    try (Persistence persistence = store.settings().persistence(store.settings().open());
        Ledger ledger = Ledger.open(directory.ledger())) {
      Controller controller =
          new Controller(options, directory, orders, store, persistence, shutdown, screen);
      Outcome outcome = controller.run(startedAtNanos);
      return prove(directory, store, orders, persistence, ledger, controller.chaosLog(), outcome);
    }
  }

  private Report prove(
      RunDirectory directory,
      RunStore store,
      List<Order> orders,
      Persistence persistence,
      Ledger ledger,
      ChaosLog chaos,
      Outcome outcome) {
    progress.println("Proving ...");
    EvidenceReader reader =
        new EvidenceReader(store.settings().repositories(persistence, "proofs"));
    Evidence evidence =
        new Evidence(reader.executions(), ledger.records(), outcome.expected(), reader.fires());
    return report(directory, orders, chaos, outcome.speed(), evidence);
  }

  private Report report(
      RunDirectory directory, List<Order> orders, ChaosLog chaos, Speed speed, Evidence evidence) {
    Run run = directory.run();
    List<Proof> proofs = Proofs.of(evidence);
    Map<String, Integer> executions = Report.byStatus(evidence);
    double total = (System.nanoTime() - startedAtNanos) / 1_000_000_000.0;
    return new Report(
        directory.path().toString(),
        run.store().text(),
        run.seed(),
        options.sabotage().map(Sabotage::text).orElse("none"),
        options.resume(),
        new Report.Input(
            run.orderFile(),
            orders.size(),
            run.malformed().size(),
            run.malformed().stream().limit(MALFORMED_REPORTED).map(Malformed::toString).toList()),
        executions,
        Report.Log.of(evidence),
        Report.Records.of(evidence),
        chaos.strikes(options.kills(), stalls()),
        chaos.lateWrites(),
        new Speed(
            speed.firstProgressSeconds(),
            speed.workSeconds(),
            speed.steps(),
            speed.stepsPerSecond(),
            total),
        proofs);
  }
}
