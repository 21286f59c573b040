/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How answers look, and that stored text cannot change how. */
final class OutputTest {
  @Test
  void sizesHaveTheUnitAPersonWouldChoose() {
    assertThat(Human.size(0)).isEqualTo("0 B");
    assertThat(Human.size(1023)).isEqualTo("1023 B");
    assertThat(Human.size(1536)).isEqualTo("1.5 KiB");
    assertThat(Human.size(16L << 20)).isEqualTo("16.0 MiB");
    assertThat(Human.size(Long.MAX_VALUE)).isEqualTo("8.0 EiB");
  }

  @Test
  void durationsHaveTheTwoUnitsThatMatter() {
    assertThat(Human.duration(Duration.ofMillis(4_250))).isEqualTo("4.3 s");
    assertThat(Human.duration(Duration.ofSeconds(59))).isEqualTo("59 s");
    assertThat(Human.duration(Duration.ofSeconds(250))).isEqualTo("4 min 10 s");
    assertThat(Human.duration(Duration.ofHours(3))).isEqualTo("3 h");
    assertThat(Human.duration(Duration.ofHours(51))).isEqualTo("2 d 3 h");
  }

  @Test
  void timesAreUtcAndTellHowFarTheyAre() {
    Instant now = Instant.parse("2026-05-04T03:02:01.999999Z");
    assertThat(Human.time(now)).isEqualTo("2026-05-04 03:02:01");
    assertThat(Human.fromNow(now.plusSeconds(30), now)).isEqualTo("in 30 s");
    assertThat(Human.fromNow(now.minusSeconds(90), now)).isEqualTo("1 min 30 s ago");
  }

  @Test
  void storedTextCannotSteerTheTerminal() {
    String hostile = "a\u001b[2Jb\nc\td\u202ee\u009bf";
    String line = Human.oneLine(hostile);
    assertThat(line).isEqualTo("a\\u001b[2Jb\\nc\\td\\u202ee\\u009bf");
    assertThat(Human.oneLine("plain, with umlauts: \u00e4\u00f6\u00fc"))
        .isEqualTo("plain, with umlauts: \u00e4\u00f6\u00fc");
    assertThat(text(new Table("NAME").row(hostile))).doesNotContain("\u001b", "\u202e");
  }

  @Test
  void aLongTextIsCutBetweenCharactersAndTellsHowMuchIsLeftOut() {
    assertThat(Human.shortened("short", 5)).isEqualTo("short");
    assertThat(Human.shortened("longer", 4)).isEqualTo("long... (2 more)");
    assertThat(Human.shortened("abc\ud83d\ude00d", 4)).isEqualTo("abc... (3 more)");
  }

  @Test
  void columnsAreAlignedNumbersToTheRight() {
    Table table = new Table("NAME", ">SIZE", "KIND").row("a", 5, "x").row("bcdef", 12345, "y");

    assertThat(text(table).lines())
        .containsExactly("NAME    SIZE  KIND", "a          5  x", "bcdef  12345  y");
  }

  private static String text(Table table) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    table.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void jsonKeepsTheOrderOfMembersAndEscapesWhatItMust() {
    JsonObject document =
        new JsonObject()
            .put("b", "quote \" newline \n bell \u0007")
            .put("a", Optional.empty())
            .put("c", List.of(1, true, new JsonObject().put("d", Long.MAX_VALUE)));

    assertThat(Json.text(document))
        .isEqualTo(
            "{\"b\":\"quote \\\" newline \\n bell \\u0007\",\"a\":null,"
                + "\"c\":[1,true,{\"d\":9223372036854775807}]}");
  }

  @Test
  void aJsonValueIsEmbeddedAsItIsOnOneLine() {
    PayloadView view =
        view(Payload.json("{\n \"n\": 1.10,\n \"big\": 123456789012345678901234567890\n}"));

    assertThat(Json.text(view.json()))
        .isEqualTo(
            "{\"contentType\":\"application/json\",\"length\":54,"
                + "\"json\":{\"n\":1.10,\"big\":123456789012345678901234567890}}");
    assertThat(view.content()).isEqualTo("{\"n\":1.10,\"big\":123456789012345678901234567890}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"half\":\"\\ud83d\",\"whole\":\"\ud83d\ude80\"}",
        "[\"\\udc00\\ud800\"]",
        "[-0,-0.0,1e400,1E-7,100e2,0.10]",
        "[true,false,null,{},[],{\"a\":[{\"b\":null}]}]",
        "-0",
        "\"\\ud800\""
      })
  void nothingOfAJsonValueIsChangedWhereItIsEmbedded(String json) {
    PayloadView view = view(Payload.json(json));

    assertThat(view.content()).isEqualTo(json);
    assertThat(Json.text(view.json())).endsWith("\"json\":" + json + "}");
  }

  @Test
  void aValueThatOnlyClaimsToBeJsonStaysText() {
    for (String broken : List.of("{\"a\":", "", "{} {}", "nul")) {
      String json = Json.text(view(Payload.json(broken)).json());
      assertThat(Parsed.of(json).text("text")).isEqualTo(broken);
    }
  }

  @Test
  void deeplyNestedJsonDoesNotBreakTheDocument() {
    String deep = "[".repeat(5_000) + "]".repeat(5_000);

    Parsed parsed = Parsed.of(Json.text(view(Payload.json(deep)).json()));

    assertThat(parsed.text("text")).isEqualTo(deep);
  }

  @Test
  void bytesAreShownAsBase64AndNeverPrintedOnATerminal() {
    PayloadView binary = view(Payload.of("application/cbor", new byte[] {1, (byte) 0xff}));
    PayloadView notUtf8 = view(Payload.of("text/plain", new byte[] {(byte) 0xc3, 0x28}));

    assertThat(Parsed.of(Json.text(binary.json())).text("base64")).isEqualTo("Af8=");
    assertThat(binary.content()).isEqualTo("(application/cbor, 2 B: not text)");
    assertThat(Parsed.of(Json.text(notUtf8.json())).text("base64")).isEqualTo("wyg=");
  }

  @Test
  void aValueNobodyOpenedShowsTypeAndSizeOnly() {
    PayloadView closed = PayloadView.of(Payload.text("secret"), false);

    assertThat(Json.text(closed.json()))
        .isEqualTo("{\"contentType\":\"text/plain;charset=utf-8\",\"length\":6}");
    assertThat(PayloadView.text(Optional.of(closed))).isEqualTo("text/plain;charset=utf-8, 6 B");
    assertThat(PayloadView.text(Optional.empty())).isEqualTo("-");
  }

  private static PayloadView view(Payload plain) {
    StoredPayload stored =
        new StoredPayload(
            plain.contentType(),
            StoredPayload.UNSEALED,
            StoredPayload.UNCOMPRESSED,
            Optional.empty(),
            Bytes.wrap(new byte[32]),
            plain.content().size(),
            new StoredPayload.Body.Inline(Bytes.EMPTY));
    return PayloadView.of(stored, plain);
  }

  @Test
  void aCursorIsReadBackFromItsText() {
    FeedCursor cursor = new FeedCursor(3, "17:a:b");
    assertThat(CursorText.parse(CursorText.of(cursor))).isEqualTo(cursor);
    for (String wrong : List.of("", "17", ":17", "x:17", "99999999999999999999:1", "1:")) {
      assertThatThrownBy(() -> CursorText.parse(wrong)).as(wrong).isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void aWordForTheShellIsQuotedWhenItMustBe() {
    assertThat(ShellWord.of("/var/lib/wovyr_1.db")).isEqualTo("/var/lib/wovyr_1.db");
    assertThat(ShellWord.of("a b$c")).isEqualTo("'a b$c'");
    assertThat(ShellWord.of("it's")).isEqualTo("'it'\\''s'");
    assertThat(ShellWord.of("")).isEqualTo("''");
  }
}
