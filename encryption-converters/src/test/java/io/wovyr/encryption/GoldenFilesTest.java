/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.encryption.key.FileDataKeyStore;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.SealingProvider.Sealed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values and keys that were stored once stay readable for ever; also without this code. */
class GoldenFilesTest {
  private static final int PYTHON_SECONDS = 60;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"p12", "bcfks"})
  void valuesOpenUnderTheKeystoreTheyWereStoredWith(String ending) throws IOException {
    EnvelopeSealing sealing =
        EnvelopeSealing.with(GoldenFiles.keystore(GoldenFiles.folder(), ending))
            .over(new FileDataKeyStore(GoldenFiles.folder().resolve("datakeys")));
    for (Map.Entry<String, GoldenFiles.Value> entry : GoldenFiles.values().entrySet()) {
      byte[] bytes = Files.readAllBytes(GoldenFiles.golden().resolve(entry.getKey()));
      GoldenFiles.Value value = entry.getValue();
      UUID key = GoldenFiles.KEY_IDS.get(value.place().scope());
      Sealed sealed = new Sealed(1, Optional.of(key.toString()), Bytes.wrap(bytes));
      assertThat(sealing.open(sealed, value.place())).isEqualTo(value.plain());
    }
  }

  @Test
  void theDocumentsExamplesAreWhatIsWritten() throws IOException {
    byte[] document = example(document("sealing.md"), "## Example of version 1");
    assertThat(sealedAsInTheExamples(place(List.of()))).isEqualTo(document);
    Binding keyed = place(List.of("01950000-0000-7000-8000-0000000000e1", "7"));
    assertThat(sealedAsInTheExamples(keyed))
        .isEqualTo(example(document("sealing.md"), "## Example of version 2"));
  }

  private static byte[] sealedAsInTheExamples(Binding place) {
    byte[] salt = HexFormat.of().parseHex("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf");
    WorkingKey key =
        WorkingKey.derive(
            GoldenFiles.dataKey(KeyScope.DATA),
            GoldenFiles.KEY_IDS.get(KeyScope.DATA),
            salt,
            WorkingKey.Limit.STANDARD);
    byte[] header = key.header(SealedLayout.versionFor(place));
    return key.seal(
        header,
        "hi".getBytes(StandardCharsets.UTF_8),
        0,
        SealedLayout.associatedData(header, place));
  }

  private static Binding place(List<String> key) {
    return new Binding("acme", "workflow_event", key, "payload", GoldenFiles.ORIGIN, KeyScope.DATA);
  }

  @Test
  void aDecoderWrittenFromTheDocumentAloneOpensThem() throws Exception {
    if (!pythonIsHere()) {
      System.out.println("NOT RUN: docs/format/decode-sealing.py, for want of python3");
      return;
    }
    Path golden = GoldenFiles.golden();
    for (Map.Entry<String, GoldenFiles.Value> entry : GoldenFiles.values().entrySet()) {
      Binding place = entry.getValue().place();
      Answer opened = decode(open(place, golden.resolve(entry.getKey()), place.attributePath()));
      assertThat(opened.exitCode()).isZero();
      assertThat(opened.output()).isEqualTo(entry.getValue().plain());
    }
    for (String name : List.of("sealing-1/text.sealed", "sealing-2/text.sealed")) {
      Binding place = GoldenFiles.values().get(name).place();
      assertThat(decode(open(place, golden.resolve(name), "moved")).exitCode()).isOne();
    }
    Binding place = GoldenFiles.values().get("sealing-2/text.sealed").place();
    Binding elsewhere =
        new Binding(
            place.tenantId(),
            place.recordType(),
            List.of(place.recordKey().get(0), "8"),
            place.attributePath(),
            place.originId(),
            place.scope());
    Path text = golden.resolve("sealing-2/text.sealed");
    assertThat(decode(open(elsewhere, text, place.attributePath())).exitCode()).isOne();
    for (KeyScope scope : KeyScope.values()) {
      Answer unwrapped =
          decode(
              List.of(
                  "unwrap",
                  "--keystore-key",
                  GoldenFiles.KEYSTORE_KEY,
                  "--tenant",
                  GoldenFiles.TENANT,
                  "--scope",
                  scope.name(),
                  "--data-key-id",
                  GoldenFiles.KEY_IDS.get(scope).toString(),
                  GoldenFiles.folder().resolve(scope + ".wrapped").toString()));
      assertThat(unwrapped.output().utf8().strip())
          .isEqualTo(HexFormat.of().formatHex(GoldenFiles.dataKey(scope)));
    }
  }

  private static List<String> open(Binding place, Path file, String path) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(
        List.of(
            "open",
            "--data-key",
            HexFormat.of().formatHex(GoldenFiles.dataKey(place.scope())),
            "--tenant",
            place.tenantId(),
            "--type",
            place.recordType(),
            "--path",
            path,
            "--origin",
            place.originId().toString(),
            "--scope",
            place.scope().name()));
    place.recordKey().forEach(one -> arguments.addAll(List.of("--key", one)));
    arguments.add(file.toString());
    return arguments;
  }

  private record Answer(int exitCode, Bytes output) {}

  private Answer decode(List<String> arguments) throws IOException, InterruptedException {
    // From a file: not every platform passes every character on the command line.
    Path file = Files.write(folder.resolve("arguments"), arguments, StandardCharsets.UTF_8);
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                "python3", "-X", "utf8", document("decode-sealing.py").toString(), "@" + file)
            .redirectOutput(output.toFile())
            .redirectError(folder.resolve("error").toFile())
            .start();
    assertThat(process.waitFor(PYTHON_SECONDS, TimeUnit.SECONDS)).isTrue();
    return new Answer(process.exitValue(), Bytes.wrap(Files.readAllBytes(output)));
  }

  private static boolean pythonIsHere() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static byte[] example(Path document, String heading) throws IOException {
    String hex =
        Files.readAllLines(document).stream()
            .dropWhile(line -> !line.equals(heading))
            .dropWhile(line -> !line.startsWith("```"))
            .skip(1)
            .takeWhile(line -> !line.startsWith("```"))
            .map(line -> line.split(" ", 2)[0])
            .collect(Collectors.joining());
    return HexFormat.of().parseHex(hex);
  }

  private static Path document(String name) {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve("docs/format").resolve(name))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new AssertionError("docs/format/" + name + " is missing");
    }
    return folder.resolve("docs/format").resolve(name);
  }
}
