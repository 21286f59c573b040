/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static io.wovyr.persistence.event.Section.VARIABLES;
import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.jpa.sqlite.SqliteStorageProvider;
import io.wovyr.persistence.lease.AcquireResult.Acquired;
import io.wovyr.persistence.payload.Payload;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines the README shows: they are these, and they work. */
class ReadmeExampleTest {
  @TempDir Path directory;

  private static void example(String store) {
    // readme:begin
    var builder = WovyrPersistence.builder().provider(new SqliteStorageProvider());
    try (Persistence persistence = builder.setting("wovyr.storage.path", store).build()) {
      Repositories orders = persistence.as(Caller.of("acme", "order-service", Role.WRITER));
      UUID id = UUID.randomUUID();
      var order = NewExecution.of(DefinitionRef.of("order", 1)).withId(id);
      orders.executions().create(order).orThrow();
      if (orders.leases().acquire(id, "worker-1", Duration.ofSeconds(30)) instanceof Acquired got) {
        var charged = NewEvent.of("Charged").put(VARIABLES, "charge", Payload.text("EUR 42"));
        orders.events().append(id, Append.next(got.lease()), charged).orThrow();
      }
      System.out.println(orders.executions().state(id).hash());
    }
    // readme:end
  }

  @Test
  void printsTheHashOfTheState() {
    String store = SqliteFile.migrated(directory.resolve("orders.db"));
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      example(store);
    } finally {
      System.setOut(out);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).matches("1:[0-9a-f]{64}\\R");
  }

  @Test
  void isWhatTheReadmeShows() throws Exception {
    Path root = Path.of("..").toAbsolutePath().normalize();
    String source =
        Files.readString(
            root.resolve("it/src/test/java/io/wovyr/persistence/it/ReadmeExampleTest.java"));
    String readme = Files.readString(root.resolve("README.md"));
    String code = between(source, "// readme:begin\n", "    // readme:end");
    String shown = between(readme, "```java\n", "```\n");
    assertThat(shown.strip()).isEqualTo(code.stripTrailing().stripIndent());
  }

  private static String between(String text, String from, String to) {
    var matcher =
        Pattern.compile(Pattern.quote(from) + "(.*?)" + Pattern.quote(to), Pattern.DOTALL)
            .matcher(text);
    assertThat(matcher.find()).as("%s … %s", from, to).isTrue();
    return matcher.group(1);
  }
}
