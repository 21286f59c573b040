/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.settings.spi.Setting;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/** What makes a sealing provider from settings may be a bean of the application. */
final class SealingBeansTest {
  private static final String PROVIDER = "wovyr.sealing.provider";
  private static final String KEY = "wovyr.sealing.ours.key";

  /** A bean of the application. */
  @ApplicationScoped
  static class Notes {
    @Inject Persistence persistence;

    /** The id of the key that sealed what was written. */
    String write(String text) {
      Repositories orders = persistence.as(Caller.of("acme", "notes", Role.READER, Role.WRITER));
      UUID id = UUID.randomUUID();
      orders
          .executions()
          .create(NewExecution.of(DefinitionRef.of("order", 1)).withId(id))
          .orThrow();
      NewEvent noted = NewEvent.of("Noted").put(Section.VARIABLES, "note", Payload.text(text));
      orders.events().append(id, Append.signal("noted"), noted).orThrow();
      var leaf = orders.executions().state(id).get(Section.VARIABLES, "note").orElseThrow();
      assertThat(orders.open(leaf)).isEqualTo(Payload.text(text));
      return leaf.payload().keyId().orElseThrow();
    }
  }

  /** Seals by a key of that name, which hides nothing. */
  private record Ours(String key) implements SealingProvider {
    @Override
    public String name() {
      return "ours";
    }

    @Override
    public Sealed seal(Bytes plain, Binding binding) {
      return new Sealed(254, Optional.of(key), plain);
    }

    @Override
    public Bytes open(Sealed sealed, Binding binding) {
      return sealed.bytes();
    }
  }

  /** What the application offers. */
  @Dependent
  static class OursFactory implements SealingFactory {
    @Override
    public String name() {
      return "ours";
    }

    @Override
    public Optional<SealingProvider> create(Map<String, String> settings) {
      return Optional.ofNullable(settings.get(KEY)).map(Ours::new);
    }

    @Override
    public String howToConfigure() {
      return "set " + KEY;
    }

    @Override
    public List<Setting> settings() {
      return List.of(new Setting(KEY, "none", "name", "the key", "here"));
    }
  }

  private static Application start(Map<String, String> settings) {
    return Application.start(settings, Notes.class, Application.Memory.class, OursFactory.class);
  }

  @Test
  void aFactoryThatIsABeanMakesWhatSeals() {
    for (String chosen : List.of("", "ours")) {
      try (Application application = start(Map.of(PROVIDER, chosen, KEY, "key-1"))) {
        assertThat(application.get(Notes.class).write("a note")).isEqualTo("key-1");
      }
    }
  }

  @Test
  void whatItDoesNotReadIsWarnedAboutAndWhatItReadsIsNot() {
    List<String> lines = new ArrayList<>();
    Handler handler = into(lines);
    Logger logger = Logger.getLogger(WovyrPersistence.class.getName());
    logger.addHandler(handler);
    try (Application application =
        start(Map.of(PROVIDER, "ours", KEY, "key-1", "wovyr.sealing.ours.kye", "key-2"))) {
      assertThat(application.get(Notes.class).write("a note")).isEqualTo("key-1");
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(lines)
        .containsExactly("WOVYR-0102 the setting wovyr.sealing.ours.kye is not known: ignored");
  }

  @Test
  void oneThatIsNamedAndNotToldFailsTheStart() {
    assertThatThrownBy(() -> start(Map.of(PROVIDER, "ours")))
        .hasStackTraceContaining("sealing provider ours is not configured: set " + KEY);
  }

  @Test
  void oneThatIsNotToldRefusesToSeal() {
    try (Application application = start(Map.of(PROVIDER, ""))) {
      Notes notes = application.get(Notes.class);
      assertThatThrownBy(() -> notes.write("a note"))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("nothing was written")
          .hasMessageContaining("set " + KEY);
    }
  }

  @Test
  void anotherOneThatIsNamedFailsTheStartAndTheChoicesAreNamed() {
    assertThatThrownBy(() -> start(Map.of(PROVIDER, "theirs")))
        .hasStackTraceContaining("no sealing provider is called 'theirs'; found: [ours]");
  }

  private static Handler into(List<String> lines) {
    return new Handler() {
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
  }
}
