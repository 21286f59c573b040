/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.encryption.key.FileDataKeyStore;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.sealing.spi.SealingProvider.Sealed;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyProcessesIT {
  private static final int PROCESSES = 4;
  private static final int VALUES = 500;
  private static final int SECONDS = 60;

  @TempDir Path folder;

  @Test
  @DisplayName("C057: processes that make keystore and data key at once share both, and no nonce")
  void processesAgreeOnKeysAndShareNoNonce() throws Exception {
    List<String> sealed = new ArrayList<>();
    List<Process> processes = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        processes.add(start());
      }
      List<BufferedReader> outputs = processes.stream().map(Process::inputReader).toList();
      for (BufferedReader output : outputs) {
        assertThat(output.readLine()).isEqualTo("ready");
      }
      for (Process process : processes) {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
      }
      for (BufferedReader output : outputs) {
        sealed.addAll(output.lines().toList());
      }
      for (Process process : processes) {
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }

    assertThat(sealed).hasSize(PROCESSES * VALUES);
    assertThat(sealed.stream().map(hex -> hex.substring(34, 90))).doesNotHaveDuplicates();
    assertThat(sealed.stream().map(hex -> hex.substring(34, 66)).distinct()).hasSize(PROCESSES);
    assertThat(new FileDataKeyStore(folder.resolve("datakeys")).list("acme")).hasSize(1);
    EnvelopeSealing restarted = SealingProcess.sealing(folder);
    for (String hex : sealed) {
      Sealed value = new Sealed(1, Optional.empty(), Bytes.wrap(HexFormat.of().parseHex(hex)));
      assertThat(restarted.open(value, SealingProcess.PLACE)).isEqualTo(SealingProcess.PLAIN);
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            SealingProcess.class.getName(),
            folder.toString(),
            Integer.toString(VALUES))
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
