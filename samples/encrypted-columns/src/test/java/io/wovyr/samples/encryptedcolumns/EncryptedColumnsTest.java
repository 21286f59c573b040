/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.encryptedcolumns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EncryptedColumnsTest {
  @TempDir Path folder;

  @Test
  void theApplicationReadsWhatTheDatabaseDoesNotShow() throws Exception {
    String first = run();
    String inDatabase = first.substring(0, first.indexOf("In the application:"));
    assertThat(inDatabase).contains("country = GB").doesNotContain("ada@", "London");
    String inApplication = first.substring(inDatabase.length());
    assertThat(inApplication).contains("ada@example.org", "1815-12-10", "1200.50", "London");
    assertThat(run().substring(inDatabase.length())).isEqualTo(inApplication);

    String file = Files.readString(folder.resolve("customers.db"), StandardCharsets.ISO_8859_1);
    for (String content : List.of("ada@", "London", "James", "1815", "1200")) {
      assertThat(file).doesNotContain(content);
    }
  }

  private String run() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      EncryptedColumns.run(folder, print);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
