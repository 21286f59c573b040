/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.secret.SecretRef;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The secret and quarantine commands over a real SQLite store. */
final class SecretAndQuarantineCommandsTest {
  @TempDir private Path directory;
  private Command wovyr;
  private SampleStore store;

  @BeforeEach
  void openStore() {
    wovyr = new Command(directory);
    store = SampleStore.create(wovyr.store());
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Nested
  final class Secrets {
    private Payload opened(String name, int version) {
      return store
          .persistence()
          .as(Caller.of("orders", "officer", Role.SECURITY_OFFICER))
          .secrets()
          .open(new SecretRef(name, version));
    }

    private Command.Result typed(String input, String... words) {
      InputStream before = System.in;
      System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
      try {
        return wovyr.run(words);
      } finally {
        System.setIn(before);
      }
    }

    @Test
    void storesWhatComesFromStandardInputWithoutItsLineEnd() {
      Command.Result result = typed(SampleStore.SECRET + "\n", "secret", "put", "card-api");

      assertThat(result.exitCode()).as(result.error()).isZero();
      assertThat(result.out())
          .contains("stored secret:card-api@1")
          .doesNotContain(SampleStore.SECRET);
      assertThat(opened("card-api", 1)).isEqualTo(Payload.text(SampleStore.SECRET));
    }

    @Test
    void storesAFileAsItIs() throws Exception {
      Files.writeString(directory.resolve("key.pem"), "line 1\nline 2\n");

      Command.Result result =
          wovyr.run("secret", "put", "tls", "--file", "key.pem", "--output", "json");

      assertThat(result.exitCode()).as(result.error()).isZero();
      assertThat(Parsed.of(result.out()).text("reference")).isEqualTo("secret:tls@1");
      assertThat(opened("tls", 1).content().utf8()).isEqualTo("line 1\nline 2\n");
    }

    @Test
    void listsNamesAndVersionsNeverValues() {
      assertThat(wovyr.run("secret", "list").out())
          .contains("no secrets", "wovyr secret put NAME --file PATH");
      typed(SampleStore.SECRET, "secret", "put", "card-api");
      typed(SampleStore.SECRET, "secret", "put", "card-api");

      Command.Result text = wovyr.run("secret", "list");
      Command.Result json = wovyr.run("secret", "list", "--output", "json");

      assertThat(text.lines()).hasSize(3);
      assertThat(text.out()).containsPattern("card-api +2 +secret:card-api@2");
      assertThat(Parsed.of(json.out()).item("secrets", 1).number("version")).isEqualTo(2);
      assertThat(text.out() + json.out()).doesNotContain(SampleStore.SECRET);
    }

    @Test
    void refusesAnEmptyValueAndOneOnTheCommandLine() {
      Command.Result empty = typed("\n", "secret", "put", "card-api");
      assertThat(empty.exitCode()).isEqualTo(2);
      assertThat(empty.error()).contains("empty", "--file");
      assertThat(typed("x", "secret", "put", "card-api", SampleStore.SECRET).exitCode())
          .isEqualTo(2);
      assertThat(wovyr.run("secret", "list").out()).contains("no secrets");
    }
  }

  @Nested
  final class Quarantine {
    @Test
    void saysSoWhenEverythingCanBeRead() {
      store.completeOrder("order-1");
      Command.Result result = wovyr.run("quarantine", "list");
      assertThat(result.exitCode()).isZero();
      assertThat(result.out()).contains("every record of tenant 'orders'", "can be read");
    }

    @Test
    void namesWhatCannotBeReadAndWhy() throws Exception {
      store.completeOrder("order-1");
      UUID newer = store.completeOrder("order-2");
      store.completeOrder("order-3");
      store.tamper("UPDATE execution SET entity_version = 9 WHERE workflow_id = 'order-2'");

      Command.Result list = wovyr.run("quarantine", "list");
      assertThat(list.exitCode()).as(list.error()).isZero();
      assertThat(list.lines()).hasSize(2);
      assertThat(list.out()).containsPattern("execution +" + newer + " +NEWER_VERSION +\\d+/9/1");
      Parsed json =
          Parsed.of(
              wovyr.run("quarantine", "list", "--type", "execution", "--output", "json").out());
      assertThat(json.size("records")).isEqualTo(1);
      assertThat(json.item("records", 0).number("entityVersion")).isEqualTo(9);
      assertThat(wovyr.run("quarantine", "list", "--type", "workflow_event").out())
          .contains("every record of type workflow_event");

      Command.Result shown = wovyr.run("quarantine", "show", "execution", newer.toString());
      assertThat(shown.exitCode()).as(shown.error()).isZero();
      assertThat(shown.out()).contains("NEWER_VERSION", "what helps: the version of wovyr");
      assertThat(list.out() + shown.out() + json.node()).doesNotContain(SampleStore.SECRET);
    }

    @Test
    void namesTheRecordsOfATornEnvelopeToo() throws Exception {
      UUID torn = store.createOrder("order-1");
      store.tamper("UPDATE execution SET input = x'ff00'");

      Command.Result list = wovyr.run("quarantine", "list");

      assertThat(list.exitCode()).as(list.error()).isZero();
      assertThat(list.out()).contains("execution");
      assertThat(wovyr.run("quarantine", "show", "execution", torn.toString()).exitCode()).isZero();
    }

    @Test
    void saysWhatToDoWhenSomethingIsWrong() {
      UUID fine = store.createOrder("order-1");
      Command.Result readable = wovyr.run("quarantine", "show", "execution", fine.toString());
      assertThat(readable.exitCode()).isEqualTo(5);
      assertThat(readable.error()).contains("wovyr quarantine list");
      assertThat(wovyr.run("quarantine", "list", "--type", "order").exitCode()).isEqualTo(2);
      assertThat(wovyr.run("quarantine", "show", "execution", "x").exitCode()).isEqualTo(2);
    }
  }
}
