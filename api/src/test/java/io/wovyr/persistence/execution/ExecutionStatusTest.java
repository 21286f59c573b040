/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExecutionStatusTest {
  /** Rows become columns where there is an x. */
  private static final String ALLOWED =
      """
      from/to      CREATED RUNNING WAITING PAUSED COMPENSATING COMPLETED CANCELLED FAILED ABORTED COMPENSATED
      CREATED      -       x       -       x      -            -         x         x      x       -
      RUNNING      -       -       x       x      x            x         x         x      x       -
      WAITING      -       x       -       x      x            -         x         x      x       -
      PAUSED       x       x       x       -      x            -         x         x      x       -
      COMPENSATING -       -       -       x      -            -         -         x      x       x
      COMPLETED    -       -       -       -      -            -         -         -      -       -
      CANCELLED    -       -       -       -      -            -         -         -      -       -
      FAILED       -       -       -       -      -            -         -         -      -       -
      ABORTED      -       -       -       -      -            -         -         -      -       -
      COMPENSATED  -       -       -       -      -            -         -         -      -       -
      """;

  @Test
  void onlyTheseTransitionsAreAllowed() {
    List<String> rows = ALLOWED.lines().toList();
    String[] columns = rows.get(0).split(" +");
    assertThat(rows).hasSize(ExecutionStatus.values().length + 1);
    for (String row : rows.subList(1, rows.size())) {
      String[] cells = row.split(" +");
      Set<String> expected =
          java.util.stream.IntStream.range(1, cells.length)
              .filter(i -> cells[i].equals("x"))
              .mapToObj(i -> columns[i])
              .collect(Collectors.toSet());
      assertThat(ExecutionStatus.valueOf(cells[0]).next())
          .as(cells[0])
          .extracting(Enum::name)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void whatHasNoNextStatusIsFinal() {
    assertThat(Arrays.stream(ExecutionStatus.values()).filter(ExecutionStatus::isFinal))
        .containsExactly(
            ExecutionStatus.COMPLETED,
            ExecutionStatus.CANCELLED,
            ExecutionStatus.FAILED,
            ExecutionStatus.ABORTED,
            ExecutionStatus.COMPENSATED);
  }

  @Test
  void changingTheAnswerChangesNothing() {
    ExecutionStatus.COMPLETED.next().add(ExecutionStatus.RUNNING);
    assertThat(ExecutionStatus.COMPLETED.isFinal()).isTrue();
  }
}
