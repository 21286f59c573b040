/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.payload.Payload;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values written once: every later version reads them, and writes the same bytes. */
final class CborGoldenFilesTest {
  private static final int PYTHON_SECONDS = 60;
  private static final CborPayloadConverter CONVERTER = Shop.types().build();

  @TempDir Path folder;

  /** Writes the files, once. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    for (Map.Entry<String, ?> entry : GoldenValues.all().entrySet()) {
      Path file = folder.resolve(entry.getKey() + ".cbor");
      if (Files.exists(file)) {
        throw new FileAlreadyExistsException(file + " is golden: it is never written again");
      }
      Files.write(file, CONVERTER.toPayload(entry.getValue()).content().toByteArray());
    }
  }

  private static Path resource(String name) {
    return Path.of("src/test/resources/golden/cbor").resolve(name + ".cbor");
  }

  @Test
  void everyGoldenFileIsReadAndWrittenAsItIs() throws IOException {
    for (Map.Entry<String, ?> entry : GoldenValues.all().entrySet()) {
      byte[] golden = Files.readAllBytes(resource(entry.getKey()));
      assertThat(Shown.of(CONVERTER.toValue(Payload.of(CborPayloadConverter.CONTENT_TYPE, golden))))
          .as(entry.getKey())
          .isEqualTo(Shown.of(entry.getValue()));
      assertThat(CONVERTER.toPayload(entry.getValue()).content().toByteArray())
          .as(entry.getKey())
          .isEqualTo(golden);
    }
  }

  @Test
  void aDecoderWrittenFromTheDocumentAloneReadsThem() throws Exception {
    if (!pythonIsHere()) {
      System.out.println("NOT RUN: docs/format/decode-cbor.py, for want of python3");
      return;
    }
    List<Path> files = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    GoldenValues.all()
        .forEach(
            (name, value) -> {
              files.add(resource(name));
              expected.add(Shown.of(value));
            });
    assertThat(decode(files, 0)).isEqualTo(expected);

    Path twice = Files.write(folder.resolve("twice.cbor"), hex("a2616101616102"));
    assertThat(decode(List.of(twice), 1)).isEmpty();
  }

  @Test
  void theExampleInTheDocumentIsWhatIsWritten() throws IOException {
    StringBuilder example = new StringBuilder();
    boolean inside = false;
    for (String line : Files.readAllLines(Path.of("../docs/format/cbor-payload.md"))) {
      if (line.startsWith("```")) {
        inside = line.length() > 3;
      } else if (inside) {
        example.append(line, 0, 32);
      }
    }
    assertThat(
            CONVERTER
                .toPayload(List.of(6, 6L, new BigDecimal("2.50"), "hi"))
                .content()
                .toByteArray())
        .isEqualTo(hex(example.toString().replace(" ", "")));
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private List<String> decode(List<Path> files, int exitCode)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3", "-X", "utf8"));
    command.add(Path.of("../docs/format/decode-cbor.py").toString());
    files.forEach(file -> command.add(file.toString()));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(folder.resolve("error").toFile())
            .start();
    assertThat(process.waitFor(PYTHON_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue())
        .as(Files.readString(folder.resolve("error")))
        .isEqualTo(exitCode);
    return Files.readAllLines(output, StandardCharsets.UTF_8);
  }

  private static boolean pythonIsHere() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
