/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Aligned columns under their names. Not thread-safe. */
final class Table {
  private static final String GAP = "  ";

  private final List<String> names;
  private final boolean[] right;
  private final List<List<String>> rows = new ArrayList<>();

  /** A column whose name begins with {@code >} is aligned to the right, for numbers. */
  Table(String... columns) {
    names = new ArrayList<>();
    right = new boolean[columns.length];
    for (int i = 0; i < columns.length; i++) {
      right[i] = columns[i].startsWith(">");
      names.add(right[i] ? columns[i].substring(1) : columns[i]);
    }
  }

  /** One more row, a cell for every column. */
  Table row(Object... cells) {
    if (cells.length != names.size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + names.size() + " columns");
    }
    rows.add(Arrays.stream(cells).map(cell -> Human.oneLine(String.valueOf(cell))).toList());
    return this;
  }

  /** Prints names and rows. */
  void print(PrintStream out) {
    int[] widths = widths();
    printRow(out, names, widths);
    rows.forEach(row -> printRow(out, row, widths));
  }

  private int[] widths() {
    int[] widths = new int[names.size()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = width(names.get(column));
      for (List<String> row : rows) {
        widths[column] = Math.max(widths[column], width(row.get(column)));
      }
    }
    return widths;
  }

  private void printRow(PrintStream out, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      String cell = cells.get(column);
      String padding = " ".repeat(widths[column] - width(cell));
      line.append(column == 0 ? "" : GAP);
      line.append(right[column] ? padding + cell : cell + padding);
    }
    out.println(line.toString().stripTrailing());
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
