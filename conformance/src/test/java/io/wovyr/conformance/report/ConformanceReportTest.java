/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.wovyr.conformance.report.ContractResult.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConformanceReportTest {
  private static final ContractResult ATOMIC =
      new ContractResult("Atomicity", "all or nothing", Optional.empty(), Result.PASSED, "");
  private static final ContractResult FEED =
      new ContractResult(
          "Feed", "delivers \"every\" row", Optional.empty(), Result.FAILED, "lost 3\tof 5");
  private static final ContractResult CLOCK =
      new ContractResult("Clock", "expires", Optional.of("STORE_CLOCK"), Result.PASSED, "");
  private static final ContractResult PROCESSES =
      new ContractResult(
          "Processes",
          "one wins",
          Optional.of("MULTI_PROCESS"),
          Result.NOT_RUN,
          "the store does not declare MULTI_PROCESS");

  private static ConformanceReport report(ContractResult... results) {
    ConformanceReport report = new ConformanceReport();
    List.of(results).forEach(report::add);
    return report;
  }

  @Test
  void tellsPeopleWhatHoldsWhatFailedAndWhatWasNotRun() {
    assertEquals(
        """
        # Conformance of acme

        | area | required | optional | NOT RUN |
        |---|---|---|---|
        | Atomicity | 1 of 1 | — | 0 |
        | Clock | — | STORE_CLOCK: 1 of 1 | 0 |
        | Feed | 0 of 1 FAILED | — | 0 |
        | Processes | — | MULTI_PROCESS: NOT RUN | 1 |

        ## FAILED

        - Feed: delivers "every" row (lost 3\tof 5)

        ## NOT RUN

        - Processes: one wins (the store does not declare MULTI_PROCESS)
        """,
        report(ATOMIC, FEED, CLOCK, PROCESSES).markdown("acme"));
  }

  @Test
  void tellsMachinesTheSame() {
    assertEquals(
        Map.of(
            "provider",
            "acme",
            "contracts",
            List.of(
                Map.of(
                    "area", "Feed",
                    "contract", "delivers \"every\" row",
                    "need", "required",
                    "result", "FAILED",
                    "reason", "lost 3\tof 5"),
                Map.of(
                    "area", "Processes",
                    "contract", "one wins",
                    "need", "MULTI_PROCESS",
                    "result", "NOT_RUN",
                    "reason", "the store does not declare MULTI_PROCESS"))),
        Json.read(report(FEED, PROCESSES).json("acme")));
  }

  @Test
  void sameResultsGiveTheSameBytesInWhateverOrderTheyCame() {
    ConformanceReport one = report(ATOMIC, FEED, CLOCK, PROCESSES);
    ConformanceReport other = report(PROCESSES, CLOCK, FEED, ATOMIC);

    assertEquals(one.json("acme"), other.json("acme"));
    assertEquals(one.markdown("acme"), other.markdown("acme"));
  }

  @Test
  void theTableHasARowPerProviderAndAColumnPerCapability() {
    ProviderTable table = new ProviderTable();
    table.add(report(ATOMIC, CLOCK).json("zeta"));
    table.add(report(ATOMIC, FEED, PROCESSES).json("acme"));

    assertEquals(
        """
        intro
        <!-- providers:begin -->
        | provider | required | MULTI_PROCESS | STORE_CLOCK | NOT RUN |
        |---|---|---|---|---|
        | acme | 1 of 2 FAILED | NOT RUN | — | 1 |
        | zeta | 1 of 1 | — | 1 of 1 | 0 |
        <!-- providers:end -->
        outro
        """,
        table.into(
            """
            intro
            <!-- providers:begin -->
            anything from before
            <!-- providers:end -->
            outro
            """));
  }

  @Test
  void theTableIsReadFromFoldersAndMayBeWrittenAgain(@TempDir Path folder) throws IOException {
    report(ATOMIC).write("acme", folder.resolve("reports"));
    Path readme = folder.resolve("README.md");
    Files.writeString(readme, ProviderTable.BEGIN + "\n" + ProviderTable.END + "\n");

    ProviderTable.main(new String[] {readme.toString(), folder.resolve("reports").toString()});
    String once = Files.readString(readme);
    ProviderTable.main(new String[] {readme.toString(), folder.resolve("reports").toString()});

    assertEquals(
        """
        <!-- providers:begin -->
        | provider | required | NOT RUN |
        |---|---|---|
        | acme | 1 of 1 | 0 |
        <!-- providers:end -->
        """,
        once);
    assertEquals(once, Files.readString(readme));
  }

  @Test
  void aFileWithoutMarkersIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new ProviderTable().into("no markers"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"provider\": \"acme\"}",
        "{\"provider\": \"acme\", \"contracts\": [{}]}",
        "{\"provider\": \"acme\", \"contracts\": []} more",
        "{\"provider\": \"acme",
        "{\"provider\": 5}"
      })
  void whatIsNotAReportIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> new ProviderTable().add(text));
  }

  @Test
  void everyCharacterSurvives() {
    String text = "quote \" backslash \\ line \n tab \t zero \u0000 rocket \ud83d\ude80 é";

    assertEquals(List.of(text), Json.read(Json.write(List.of(text))));
  }
}
