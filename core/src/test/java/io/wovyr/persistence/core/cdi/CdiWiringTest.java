/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.memory.MemoryStorageProvider;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.Executions;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.schedule.NewSchedule;
import io.wovyr.persistence.schedule.Scheduler;
import io.wovyr.persistence.schedule.SchedulerOptions;
import io.wovyr.persistence.schedule.Timing;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application gets injected, and what its start refuses. */
final class CdiWiringTest {
  private static final String MEMORY = new MemoryStorageProvider().name();

  /** An application's bean, as an engine developer writes it. */
  @ApplicationScoped
  static class OrderService {
    @Inject Persistence persistence;

    String provider() {
      return persistence.provider();
    }

    WorkflowExecution start(String order) {
      return persistence
          .as(Caller.of("acme", "order-service", Role.WRITER))
          .executions()
          .create(NewExecution.of(DefinitionRef.of("order", 1)).withWorkflowId(order))
          .orThrow()
          .records(WorkflowExecution.class)
          .get(0);
    }
  }

  /** Injects one repository and nothing else. */
  @ApplicationScoped
  static class OrderList {
    @Inject Executions executions;
  }

  /** May do without. */
  @ApplicationScoped
  static class Cautious {
    @Inject Instance<Persistence> persistence;
  }

  /** A second store. */
  @Dependent
  static class Other implements StorageProvider {
    @Override
    public String name() {
      return "other";
    }

    @Override
    public Set<Capability> capabilities() {
      return Set.of();
    }

    @Override
    public Storage open(Map<String, String> settings) {
      throw new AssertionError("never chosen");
    }
  }

  /** One that an application seals by. */
  @Dependent
  static class OwnSealing implements SealingProvider {
    @Override
    public String name() {
      return "own";
    }

    @Override
    public Sealed seal(Bytes plain, Binding binding) {
      throw new AssertionError("nothing is sealed here");
    }

    @Override
    public Bytes open(Sealed sealed, Binding binding) {
      throw new AssertionError("nothing is sealed here");
    }
  }

  /** As {@link OwnSealing}, of another name. */
  @Dependent
  static class OtherSealing extends OwnSealing {
    @Override
    public String name() {
      return "theirs";
    }
  }

  @Test
  void injectsAPersistenceOverTheOnlyProvider() {
    try (Application application =
        Application.start(Map.of(), OrderService.class, Application.Memory.class)) {
      OrderService service = application.get(OrderService.class);
      assertThat(service.start("order-1").workflowId()).isEqualTo("order-1");
      assertThat(service.provider()).isEqualTo(MEMORY);
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {OrderService.class, OrderList.class})
  void theStartNamesTheChoicesWhenTheProviderIsMissing(Class<?> bean) {
    assertThatThrownBy(
            () ->
                Application.start(
                    Map.of("wovyr.storage.provider", "oracle"), bean, Application.Memory.class))
        .hasStackTraceContaining("no storage provider is called 'oracle'; found: [" + MEMORY + "]");
  }

  @Test
  void theStartNamesTheChoicesWhenSeveralProvidersAreThere() {
    assertThatThrownBy(
            () ->
                Application.start(
                    Map.of(), OrderService.class, Application.Memory.class, Other.class))
        .hasStackTraceContaining("set wovyr.storage.provider to one storage provider of")
        .hasStackTraceContaining("[" + MEMORY + ", other]");
  }

  @Test
  void theStartNamesTheChoicesWhenSeveralSealingProvidersAreThere() {
    Map<String, String> unset = Map.of("wovyr.sealing.provider", "");
    assertThatThrownBy(
            () ->
                Application.start(
                    unset,
                    OrderService.class,
                    Application.Memory.class,
                    OwnSealing.class,
                    OtherSealing.class))
        .hasStackTraceContaining("set wovyr.sealing.provider to one sealing provider of")
        .hasStackTraceContaining("[own, theirs]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "own", "theirs"})
  void theSettingChoosesWhatSeals(String chosen) {
    try (Application application =
        Application.start(
            Map.of("wovyr.sealing.provider", chosen),
            OrderService.class,
            Application.Memory.class,
            OwnSealing.class,
            OtherSealing.class)) {
      assertThat(application.get(OrderService.class).provider()).isEqualTo(MEMORY);
    }
  }

  @Test
  void anApplicationThatInjectsNoneNeedsNoSettings() {
    assertThatCode(() -> Application.start(Map.of(), Cautious.class).close())
        .doesNotThrowAnyException();
  }

  @Test
  void theStartSaysWhatWasFoundAndChosenInOneLine() {
    List<String> lines = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(new SimpleFormatter().formatMessage(line));
          }

          @Override
          public void flush() {
            // Kept in memory.
          }

          @Override
          public void close() {
            // Kept in memory.
          }
        };
    Logger logger = Logger.getLogger(PersistenceProducer.class.getName());
    logger.addHandler(handler);
    try (Application application =
        Application.start(
            Map.of("wovyr.storage.provider", MEMORY, "wovyr.sealing.provider", "own"),
            OrderService.class,
            Application.Memory.class,
            Other.class,
            OwnSealing.class)) {
      assertThat(application.has(Persistence.class)).isTrue();
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(lines)
        .containsExactly(
            "WOVYR-0001 opening a %1$s store of storage providers [%1$s, other]; sealing by own of [own]; tenants of requests by claim; background work on threads of its own"
                .formatted(MEMORY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wovyr.tenant.resolver=subdomain -> no tenant resolver is called 'subdomain'; found: [claim, header, host]",
        "wovyr.tenant.resolver=header -> wovyr.tenant.header is not set",
        "wovyr.tenant.resolver=host -> wovyr.tenant.host-suffix is not set",
        "wovyr.tenant.header=X-Tenant -> wovyr.tenant.resolver is claim",
        "wovyr.tenant.default=$system -> wovyr.tenant.default is no tenant",
        "wovyr.role.superuser=root -> there is no setting wovyr.role.superuser",
        "wovyr.role.reader=a,,b -> wovyr.role.reader has an empty name",
      })
  void theStartRefusesSettingsThatCannotTellCallers(String example) {
    String[] parts = example.split("=| -> ", 3);
    assertThatThrownBy(
            () ->
                Application.start(
                    Map.of(parts[0], parts[1]), OrderService.class, Application.Memory.class))
        .hasStackTraceContaining(parts[2]);
  }

  /** What a server has under the name that all of them use. */
  public static final class Naming implements InitialContextFactory {
    private static final ScheduledExecutorService EXECUTOR =
        Executors.newScheduledThreadPool(
            4,
            body -> {
              Thread thread = new Thread(body, "the-containers");
              thread.setDaemon(true);
              return thread;
            });

    @Override
    public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
      return new InitialContext(true) {
        @Override
        public Object lookup(String name) throws NamingException {
          if (name.equals("java:comp/DefaultManagedScheduledExecutorService")) {
            return EXECUTOR;
          }
          throw new NameNotFoundException(name);
        }
      };
    }
  }

  @ParameterizedTest
  @CsvSource({", the-containers", "none, wovyr-scheduler-"})
  void backgroundWorkRunsOnTheContainersExecutorUnlessItIsNotWanted(String wanted, String thread) {
    System.setProperty(Context.INITIAL_CONTEXT_FACTORY, Naming.class.getName());
    try (Application application =
        Application.start(
            wanted == null ? Map.of() : Map.of("wovyr.background.executor", wanted),
            OrderService.class,
            Application.Memory.class)) {
      Persistence persistence = application.get(Persistence.class);
      BlockingQueue<String> threads = new LinkedBlockingQueue<>();
      Repositories admin = persistence.as(Caller.of("acme", "test", Role.ADMIN));
      admin
          .schedules()
          .add(
              NewSchedule.of(
                  "often",
                  new Timing.Every(Duration.ofSeconds(1), Instant.now()),
                  DefinitionRef.of("order", 1)))
          .orThrow();
      try (Scheduler scheduler = persistence.scheduler(SchedulerOptions.of("node-1"))) {
        scheduler.start(outcome -> threads.add(Thread.currentThread().getName()));
        assertThat(threads.poll(30, TimeUnit.SECONDS)).startsWith(thread);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    } finally {
      System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
    }
    assertThat(Naming.EXECUTOR.isShutdown()).as("it is the container's to end").isFalse();
  }

  @Test
  void anExecutorThatIsNotThereFailsTheStart() {
    assertThatThrownBy(
            () ->
                Application.start(
                    Map.of("wovyr.background.executor", "java:app/none"),
                    OrderService.class,
                    Application.Memory.class))
        .hasStackTraceContaining("wovyr.background.executor names no scheduled executor");
  }
}
