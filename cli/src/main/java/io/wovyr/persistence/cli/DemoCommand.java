/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.samples.ordersaga.Demo;
import io.wovyr.samples.ordersaga.DemoOptions;
import io.wovyr.samples.ordersaga.DemoStore;
import io.wovyr.samples.ordersaga.ProgressLine;
import io.wovyr.samples.ordersaga.sabotage.Sabotage;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Runs the main job of {@code samples/order-saga}. */
@Command(
    name = "demo",
    description = {
      "Runs a saga per order while workers are killed and stalled, and proves the result.",
      "Everything it writes is in one directory; its store is orders.db there, or with",
      "--embedded a PostgreSQL of its own, or with --url one that is there. Ends with 1",
      "when a proof fails. Interrupted, it leaves what --resume finishes."
    })
final class DemoCommand extends StoreCommand implements Changing {
  private final DemoOptions.Builder demo = DemoOptions.builder();
  private Path directory = Path.of("wovyr-demo");
  private String sabotageAgain = "";

  @Option(
      names = "--orders",
      paramLabel = "FILE",
      description = "Orders to run, CSV or JSON lines; default: the 1,200 that ship.")
  void setOrders(Path file) {
    demo.orders(file);
  }

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Worker processes at a time, 1 to 64; default 4.")
  void setWorkers(int count) {
    demo.workers(count);
  }

  @Option(
      names = "--kills",
      paramLabel = "K",
      description = "Workers to kill by SIGKILL, 0 to 100; default 3.")
  void setKills(int count) {
    demo.kills(count);
  }

  @Option(
      names = "--pauses",
      paramLabel = "P",
      description = "Workers to stall by SIGSTOP, 0 to 100; default 2.")
  void setPauses(int count) {
    demo.pauses(count);
  }

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Decides which attempts fail and whom kills strike; default 1.")
  void setSeed(long seed) {
    demo.seed(seed);
  }

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where store, ledger and logs go; default ./wovyr-demo.")
  void setDirectory(Path path) {
    directory = path;
    demo.directory(path);
  }

  @Option(
      names = "--embedded",
      description = "On a PostgreSQL server of its own, started and stopped with the run.")
  private boolean embedded;

  @Option(names = "--resume", description = "Finish the run that was left unfinished there.")
  void setResume(boolean wanted) {
    demo.resume(wanted);
  }

  @Option(names = "--fresh", description = "Throw away the run that is there.")
  void setFresh(boolean wanted) {
    demo.fresh(wanted);
  }

  @Option(
      names = "--sabotage",
      paramLabel = "PROMISE",
      converter = SabotageName.class,
      completionCandidates = SabotageNames.class,
      description =
          "Break a promise of the store, so that a proof fails: ${COMPLETION-CANDIDATES}.")
  void setSabotage(@Nullable Sabotage wanted) {
    demo.sabotage(wanted);
    sabotageAgain = wanted == null ? "" : " --sabotage " + wanted.text();
  }

  @Override
  ExitCode run() {
    throw new IllegalStateException("the demo ends with exit codes of its own");
  }

  @Override
  int exitCode() {
    if (options().namesStore()) {
      throw wrongUsage("the demo keeps its store in a directory of its own: give --directory");
    }
    DemoStore store = store();
    int exitCode = run(demoOptions(store));
    if (exitCode == Demo.OK && !json()) {
      sayHowToLook(store);
    }
    return exitCode;
  }

  private int run(DemoOptions wanted) {
    PrintStream error = console().error();
    Optional<ProgressLine> line =
        console().isTerminal()
            ? Optional.of(new ProgressLine(json() ? error : out(), console().columns()))
            : Optional.empty();
    PrintStream beside = line.map(shown -> shown.before(error)).orElse(error);
    Logging.configure(beside, options().verbose());
    return Demo.run(wanted, out(), beside, line);
  }

  /** Where the orders go; which file or server it is when nothing is said is the demo's matter. */
  private DemoStore store() {
    if (embedded && options().namesUrl()) {
      throw wrongUsage("--embedded starts a server of its own: give it or --url, not both");
    }
    String provider =
        embedded && !options().namesProvider() ? POSTGRESQL : settings().get(Settings.PROVIDER, "");
    if (embedded && !provider.equals(POSTGRESQL)) {
      throw wrongUsage("--embedded starts a PostgreSQL: give --provider postgresql, or none");
    }
    if (embedded) {
      return new DemoStore.Embedded();
    }
    if (provider.equals(GlobalOptions.DEFAULT_PROVIDER)) {
      return new DemoStore.Sqlite();
    }
    if (!Providers.named(provider).capabilities().contains(Capability.MULTI_PROCESS)) {
      return new DemoStore.Alone(provider);
    }
    if (provider.equals(POSTGRESQL) && settings().get(Settings.URL, "").isEmpty()) {
      throw wrongUsage("say where PostgreSQL is with --url, or give --embedded to start one");
    }
    Map<String, String> storage = new HashMap<>(settings().storage());
    storage.remove("provider");
    if (provider.equals(POSTGRESQL)) {
      storage.put("hibernate-start", "background");
    }
    Optional<String> tenant = options().namesTenant() ? Optional.of(tenant()) : Optional.empty();
    return new DemoStore.Server(
        Providers.named(provider).name(), storage, sealing(), place(), tenant);
  }

  private Map<String, String> sealing() {
    Map<String, String> found = new HashMap<>(settings().library());
    found.keySet().removeIf(key -> !key.startsWith("wovyr.sealing."));
    return found;
  }

  private void sayHowToLook(DemoStore store) {
    if (store instanceof DemoStore.Server) {
      String keys =
          Demo.keystoreOf(directory)
              .map(file -> " -D wovyr.sealing.keystore.path=" + ShellWord.of(file.toString()))
              .orElse("");
      String look = options().again("execution list", Demo.tenantOf(directory)) + keys;
      out().println("Look into its store: " + look);
    } else if (store instanceof DemoStore.Alone alone) {
      String file = ShellWord.of(directory.resolve("orders." + alone.provider()).toString());
      out()
          .println(
              "Look into its store: wovyr execution list --provider %s --store %s"
                  .formatted(alone.provider(), file));
    } else if (Files.exists(directory.resolve("orders.db"))) {
      String file = ShellWord.of(directory.resolve("orders.db").toString());
      out().println("Look into its store: wovyr execution list --store " + file);
    } else if (store instanceof DemoStore.Embedded) {
      out()
          .println(
              "Its server has stopped with it: to look into a store afterwards, run on SQLite or"
                  + " give --url");
    }
  }

  private DemoOptions demoOptions(DemoStore store) {
    try {
      String resume =
          "demo --resume --directory "
              + ShellWord.of(directory.toString())
              + (embedded ? " --embedded" : "")
              + sabotageAgain;
      return demo.store(store).json(json()).resumeCommand(again(resume)).build();
    } catch (IllegalArgumentException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec().commandLine(), message);
  }

  /** For help and completion. */
  private static final class SabotageNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Sabotage.values()).map(Sabotage::text).iterator();
    }
  }

  /** By the names the demo uses. */
  private static final class SabotageName implements ITypeConverter<Sabotage> {
    @Override
    public Sabotage convert(String name) {
      return Sabotage.named(name)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'%s' is none of %s".formatted(name, Sabotage.names())));
    }
  }
}
