/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.samples.ordersaga.Order.Item;
import io.wovyr.samples.ordersaga.Order.Priority;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderReaderTest {
  private static final String HEADER = "order_id,customer,country,currency,amount,priority,items\n";
  private static final String GOOD = "A-1,Café du Port,FR,EUR,12.50,high,BK-1:2;TL-2:1\n";

  private static OrderFile csv(String text) {
    return OrderReader.read("orders.csv", text.getBytes(StandardCharsets.UTF_8));
  }

  private static OrderFile json(String text) {
    return OrderReader.read("orders.jsonl", text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void readsTheShippedOrders() {
    OrderFile shipped = OrderReader.readShipped();
    assertThat(shipped.orders()).hasSizeGreaterThanOrEqualTo(1_000);
    assertThat(shipped.malformed()).isEmpty();
    assertThat(shipped.orders().stream().map(Order::currency).distinct().count()).isGreaterThan(20);
    assertThat(shipped.orders())
        .anyMatch(order -> order.customer().chars().anyMatch(c -> c > 0x2000));
    assertThat(shipped.orders().stream().map(Order::executionId)).doesNotHaveDuplicates();
  }

  @Test
  void readsCsv() {
    assertThat(csv(HEADER + GOOD).orders())
        .containsExactly(
            new Order(
                "A-1",
                "Café du Port",
                "FR",
                "EUR",
                new BigDecimal("12.50"),
                Priority.HIGH,
                List.of(new Item("BK-1", 2), new Item("TL-2", 1))));
  }

  @Test
  void readsTheSameOrderFromJsonLines() {
    String line =
        "{\"order_id\":\"A-1\",\"customer\":\"Café du Port\",\"country\":\"FR\","
            + "\"currency\":\"EUR\",\"amount\":12.5,\"priority\":\"high\","
            + "\"items\":[{\"sku\":\"BK-1\",\"quantity\":2},{\"sku\":\"TL-2\",\"quantity\":1}]}";
    assertThat(json(line).orders()).isEqualTo(csv(HEADER + GOOD).orders());
  }

  @Test
  void tellsJsonByItsFirstCharacterWhereTheNameSaysNothing() {
    String line =
        "\n {\"order_id\":\"A-1\",\"customer\":\"C\",\"country\":\"FR\",\"currency\":\"EUR\","
            + "\"amount\":\"1\",\"priority\":\"low\",\"items\":[{\"sku\":\"S\",\"quantity\":1}]}";
    assertThat(OrderReader.read("orders", line.getBytes(StandardCharsets.UTF_8)).orders())
        .hasSize(1);
  }

  @Test
  void takesColumnsByNameAndIgnoresOthers() {
    OrderFile file =
        csv(
            """
            note,items,priority,amount,currency,country,customer,order_id
            x,S:1,low,5,EUR,DE,Laden am Kai,B-1
            """);
    assertThat(file.orders()).extracting(Order::id).containsExactly("B-1");
  }

  @Test
  void acceptsByteOrderMarkWindowsLineEndsBlankLinesAndQuotes() {
    OrderFile file =
        csv(
            "\uFEFF"
                + HEADER.replace("\n", "\r\n")
                + "\r\n"
                + "A-1,\"Granite, \"\"Tools\"\" & Co\",US,USD,5.00,low,S:1\r\n");
    assertThat(file.malformed()).isEmpty();
    assertThat(file.orders())
        .extracting(Order::customer)
        .containsExactly("Granite, \"Tools\" & Co");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A-2,Shop,FR,EUR,1.00,low                  | has 6 columns
          A-2,\"Shop,FR,EUR,1.00,low,S:1            | quoted value does not end
          ,Shop,FR,EUR,1.00,low,S:1                 | order_id is not a text
          A-2,,FR,EUR,1.00,low,S:1                  | customer is not a text
          A-2,Shop,XX,EUR,1.00,low,S:1              | country is not
          A-2,Shop,FR,EURO,1.00,low,S:1             | currency is not
          A-2,Shop,FR,EUR,one,low,S:1               | amount is not a decimal
          A-2,Shop,FR,EUR,0,low,S:1                 | amount is not above zero
          A-2,Shop,FR,EUR,1e999999999,low,S:1       | amount
          A-2,Shop,FR,EUR,-3,low,S:1                | amount is not above zero
          A-2,Shop,JP,JPY,1.5,low,S:1               | amount has 1 decimals, JPY has 0
          A-2,Shop,FR,EUR,1.00,soon,S:1             | priority is not
          A-2,Shop,FR,EUR,1.00,low,S                | items are not written as
          A-2,Shop,FR,EUR,1.00,low,S:x              | quantity is not a whole number
          A-2,Shop,FR,EUR,1.00,low,S:0              | quantity is not between
          A-2,Shop,FR,EUR,1.00,low,S:1;S:2          | items name an article twice
          A-1,Shop,FR,EUR,1.00,low,S:1              | order_id is already that of line 2
          """)
  void namesAMalformedLineAndGoesOn(String line, String reason) {
    OrderFile file = csv(HEADER + GOOD + line.strip() + "\nA-3,Shop,FR,EUR,1.00,low,S:1\n");
    assertThat(file.orders()).extracting(Order::id).containsExactly("A-1", "A-3");
    assertThat(file.malformed()).hasSize(1);
    assertThat(file.malformed().get(0).toString())
        .startsWith("orders.csv:3: ")
        .contains(reason)
        .doesNotContain("Shop");
  }

  @Test
  void namesNumbersAndTextsOfJsonThatNoStoreCouldKeep() {
    String good =
        "{\"order_id\":\"A-%s\",\"customer\":\"C%s\",\"country\":\"FR\",\"currency\":\"EUR\","
            + "\"amount\":%s,\"priority\":\"low\",\"items\":[{\"sku\":\"S\",\"quantity\":1}]}\n";
    OrderFile file =
        json(
            good.formatted("1", "", "1")
                + good.formatted("2", "", "1e999999999")
                + good.formatted("3", "\\ud800", "1")
                + good.formatted("4", "\\u0000", "1"));
    assertThat(file.orders()).extracting(Order::id).containsExactly("A-1");
    assertThat(file.malformed())
        .extracting(OrderFile.Malformed::reason)
        .satisfiesExactly(
            reason -> assertThat(reason).contains("amount is not above zero and at most"),
            reason -> assertThat(reason).contains("half a character"),
            reason -> assertThat(reason).contains("control character"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {\"order_id\":          | is not JSON
          [1]                     | is not a JSON object
          {\"order_id\":\"A\"}    | is missing
          {} {}                   | is not JSON
          {\"order_id\":\"A\",\"order_id\":\"B\"} | names a member twice
          """)
  void namesAMalformedLineOfJson(String line, String reason) {
    String good =
        "{\"order_id\":\"A-1\",\"customer\":\"C\",\"country\":\"FR\",\"currency\":\"EUR\","
            + "\"amount\":1,\"priority\":\"low\",\"items\":[{\"sku\":\"S\",\"quantity\":1}]}";
    OrderFile file = json(line + "\n" + good);
    assertThat(file.orders()).hasSize(1);
    assertThat(file.malformed()).hasSize(1);
    assertThat(file.malformed().get(0).toString()).startsWith("orders.jsonl:1: ").contains(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {\"sku\":\"S\",\"quantity\":1}                    | items are not an array
          \"S:1\"                                           | items are not an array
          [\"S:1\"]                                         | items are not objects
          [{\"sku\":\"S\",\"sku\":\"T\",\"quantity\":1}]    | names a member twice
          """)
  void namesItemsOfJsonThatAreNoList(String items, String reason) {
    String line =
        "{\"order_id\":\"A-%s\",\"customer\":\"C\",\"country\":\"FR\",\"currency\":\"EUR\","
            + "\"amount\":1,\"priority\":\"low\",\"items\":%s}\n";
    String good = line.formatted("1", "[{\"sku\":\"S\",\"quantity\":1}]");
    OrderFile file = json(good + line.formatted("2", items));
    assertThat(file.orders()).extracting(Order::id).containsExactly("A-1");
    assertThat(file.malformed()).hasSize(1);
    assertThat(file.malformed().get(0).toString()).startsWith("orders.jsonl:2: ").contains(reason);
  }

  @Test
  void namesALineThatIsNotUtf8() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes((HEADER + GOOD).getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes("A-2,Caf\u00e9,FR,EUR,1.00,low,S:1\n".getBytes(StandardCharsets.ISO_8859_1));
    OrderFile file = OrderReader.read("orders.csv", bytes.toByteArray());
    assertThat(file.orders()).hasSize(1);
    assertThat(file.malformed())
        .extracting(OrderFile.Malformed::reason)
        .containsExactly("is not UTF-8");
  }

  @Test
  void refusesAFileWithoutAColumn() {
    assertThatThrownBy(() -> csv("order_id,customer\nA,B\n"))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining("orders.csv:1")
        .hasMessageContaining("'country'");
  }

  @Test
  void refusesAFileWithoutAnOrder() {
    assertThatThrownBy(() -> csv(HEADER + "nonsense\n"))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining("no order")
        .hasMessageContaining("orders.csv:2");
    assertThatThrownBy(() -> csv("")).isInstanceOf(UnusableInput.class);
  }

  @Test
  void refusesAFileThatIsNotThere() {
    assertThatThrownBy(() -> OrderReader.read(Path.of("no-such-file.csv")))
        .isInstanceOf(UnusableInput.class)
        .hasMessageContaining("no-such-file.csv");
  }
}
