/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The definition commands over a real SQLite store. */
final class DefinitionCommandsTest {
  private static final String BODY = "{\"steps\": [\"charge\"]}\n";
  private static final String CHECKSUM =
      "sha-256:23cf1ee3c734c51ddba7ceee8672acba84cf2614f4a79cea3d114ca23c72dcc3";

  @TempDir private Path directory;
  private Command wovyr;
  private SampleStore store;

  @BeforeEach
  void openStore() throws Exception {
    wovyr = new Command(directory);
    store = SampleStore.create(wovyr.store());
    Files.writeString(directory.resolve("order.json"), BODY);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private Command.Result add(String... more) {
    String[] words = new String[3 + more.length];
    words[0] = "definition";
    words[1] = "add";
    words[2] = "order.json";
    System.arraycopy(more, 0, words, 3, more.length);
    return wovyr.run(words);
  }

  @Test
  void oneThatIsThereKeepsItsPoliciesAndSaysSo() {
    assertThat(add("--name", "order@1", "--policy", "retention.keep-latest=5").exitCode()).isZero();

    Command.Result same = add("--name", "order@1", "--policy", "retention.keep-latest=5");
    Command.Result other = add("--name", "order@1", "--policy", "retention.keep-latest=9");

    assertThat(same.out()).contains("is stored").doesNotContain("keeps its policies");
    assertThat(other.out()).contains("keeps its policies");
    assertThat(wovyr.run("definition", "show", "order@1").out())
        .containsPattern("retention.keep-latest\\s+definition\\s+5");
  }

  /** Taken for a part of the name, a mistyped version would be stored under another name. */
  @Test
  void aMistypedVersionDoesNotBecomeAPartOfTheName() {
    for (String name :
        List.of("x@-1", "x@", "@1", "@", "x@0", "x@2147483648", "x@1@2", "x@latest", "x @ 1")) {
      for (List<String> words :
          List.of(
              List.of("definition", "add", "order.json", "--name", name),
              List.of("definition", "show", name),
              List.of("definition", "archive", name),
              List.of("schedule", "add", "s", "--every", "PT1H", "--definition", name))) {
        Command.Result result = wovyr.run(words.toArray(String[]::new));

        assertThat(result.exitCode()).as("%s: %s", words, result.error()).isEqualTo(2);
        assertThat(result.error()).contains("'" + name + "'", "order@3");
      }
    }
    assertThat(wovyr.run("definition", "list").out()).contains("no definitions");
    assertThat(add("--name", "x@2147483647").exitCode()).isZero();
  }

  /** A file without an end, too. */
  @Test
  void aBodyThatIsTooLongOrCannotBeReadIsRefused() {
    Command.Result endless = wovyr.run("definition", "add", "/dev/zero", "--name", "order");
    Command.Result folder = wovyr.run("definition", "add", ".", "--name", "order");

    assertThat(endless.exitCode()).isEqualTo(2);
    assertThat(endless.error()).contains("/dev/zero is longer than 16.0 MiB");
    assertThat(folder.exitCode()).isEqualTo(2);
    assertThat(folder.error()).contains("cannot be read (").doesNotContain("Exception");
  }

  @Test
  void addsVersionsAndShowsThem() {
    Command.Result first = add("--name", "order");
    assertThat(first.exitCode()).as(first.error()).isZero();
    assertThat(first.out())
        .contains("order@1", "ACTIVE", CHECKSUM, "wovyr definition show order@1");
    add("--name", "order", "--draft", "--policy", "retention.keep-latest=5");

    Command.Result list = wovyr.run("definition", "list");
    assertThat(list.lines()).hasSize(3);
    assertThat(list.out())
        .containsPattern("order +1 +ACTIVE +\\d+ B +application/json +0 ")
        .containsPattern("order +2 +DRAFT +\\d+ B +application/json +1 ");
    assertThat(wovyr.run("definition", "list", "--status", "draft").lines()).hasSize(2);

    Command.Result newestInUse = wovyr.run("definition", "show", "order");
    assertThat(newestInUse.out()).containsPattern("version +1\n").contains(CHECKSUM);
    Parsed draft = Parsed.of(wovyr.run("definition", "show", "order@2", "--output", "json").out());
    assertThat(draft.text("status")).isEqualTo("DRAFT");
    assertThat(draft.node().at("/policies/0").asString()).isEqualTo("retention.keep-latest=5");
  }

  @Test
  void showsEveryPolicyThatHoldsAndWhoGaveIt() throws Exception {
    add("--name", "order", "--policy", "retention.keep-latest=5");
    Files.writeString(
        directory.resolve("wovyr.properties"), "wovyr.policy.checkpoint.period=PT1H\n");

    Command.Result shown = wovyr.run("definition", "show", "order");

    assertThat(shown.out())
        .containsPattern("POLICY +FROM +VALUE\n")
        .containsPattern("retention.keep-latest +definition +5\n")
        .containsPattern("checkpoint.period +setting +PT1H\n")
        .containsPattern("execution.workflow-id-reuse +default +reject-live\n");
    Parsed json = Parsed.of(wovyr.run("definition", "show", "order", "--output", "json").out());
    assertThat(json.node().at("/effectivePolicies/0/policy").asString())
        .isEqualTo("execution.workflow-id-reuse");
    assertThat(json.node().at("/effectivePolicies/0/from").asString()).isEqualTo("default");
  }

  @Test
  void aDefinitionWithAPolicyOfANewerVersionIsShownAndSaysSo() throws Exception {
    add("--name", "order");
    store.tamper("UPDATE definition SET policies = '[\"checkpoint.invented=yes\"]'");

    Command.Result shown = wovyr.run("definition", "show", "order");

    assertThat(shown.exitCode()).as(shown.error()).isZero();
    assertThat(shown.out())
        .contains(CHECKSUM)
        .containsPattern("not known here +definition order@1: .*checkpoint.invented")
        .doesNotContain("POLICY");
    Parsed json = Parsed.of(wovyr.run("definition", "show", "order", "--output", "json").out());
    assertThat(json.node().at("/effectivePolicies").isNull()).isTrue();
    assertThat(json.node().at("/policies/0").asString()).isEqualTo("checkpoint.invented=yes");
  }

  @Test
  void aBadPolicyOfTheSettingsIsNamed() throws Exception {
    Files.writeString(
        directory.resolve("wovyr.properties"), "wovyr.policy.retention.keep-latest=0\n");

    Command.Result refused = wovyr.run("definition", "list");

    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.error()).contains("wovyr.policy.retention.keep-latest", "1 or more");
  }

  @Test
  void givesTheBodyBackByteByByteWhenAsked() {
    add("--name", "order");

    assertThat(wovyr.run("definition", "show", "order@1").out()).doesNotContain("charge");
    assertThat(wovyr.run("definition", "show", "order@1", "--body").out()).isEqualTo(BODY);
    Parsed json =
        Parsed.of(wovyr.run("definition", "show", "order@1", "--body", "--output", "json").out());
    assertThat(json.node().at("/body/json/steps/0").asString()).isEqualTo("charge");
  }

  @Test
  void aTerminalIsNotSteeredByABody() throws Exception {
    Files.writeString(directory.resolve("order.txt"), "one\u001b[2Jtwo");
    wovyr.run("definition", "add", "order.txt", "--name", "text");

    Command.Result shown =
        wovyr
            .withEnvironment("WOVYR_LAUNCHER_TERMINAL", "yes")
            .run("definition", "show", "text@1", "--body");

    assertThat(shown.out()).isEqualTo("one\\u001b[2Jtwo" + System.lineSeparator());
  }

  @Test
  void theSameBodyAgainIsNoFailureAnotherOneIs() throws Exception {
    add("--name", "order@3");
    assertThat(add("--name", "order@3").exitCode()).isZero();
    Files.writeString(directory.resolve("order.json"), "{}");

    Command.Result other = add("--name", "order@3");

    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.error().lines()).hasSize(1);
    assertThat(other.error()).contains("order@3 is there already", "wovyr definition show order@3");
  }

  @Test
  void aWrongChecksumIsRefusedARightOneTaken() {
    Command.Result wrong = add("--name", "order", "--checksum", "ab".repeat(32));
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.error()).contains(CHECKSUM).doesNotContain("charge");
    assertThat(wovyr.run("definition", "list").out()).contains("no definitions");

    String hex = CHECKSUM.substring("sha-256:".length());
    assertThat(add("--name", "order", "--checksum", hex).exitCode()).isZero();
    assertThat(add("--name", "order", "--checksum", CHECKSUM).exitCode()).isZero();
  }

  @Test
  void archivingHidesAVersionAndKeepsItsBody() {
    add("--name", "order");

    Command.Result archived = wovyr.run("definition", "archive", "order@1");
    assertThat(archived.exitCode()).as(archived.error()).isZero();
    assertThat(wovyr.run("definition", "archive", "order@1").exitCode()).isZero();

    assertThat(wovyr.run("definition", "list").out()).contains("no definitions");
    assertThat(wovyr.run("definition", "list", "--status", "ARCHIVED").out()).contains("order");
    assertThat(wovyr.run("definition", "show", "order", "--body").out()).isEqualTo(BODY);
  }

  @Test
  void saysWhatToDoWhenSomethingIsWrong() {
    Command.Result missing = wovyr.run("definition", "show", "order@7");
    assertThat(missing.exitCode()).isEqualTo(5);
    assertThat(missing.error()).contains("order@7", "wovyr definition list");
    assertThat(wovyr.run("definition", "archive", "order").exitCode()).isEqualTo(2);
    assertThat(wovyr.run("definition", "add", "nowhere.json", "--name", "order").error())
        .contains("there is no file nowhere.json");
    Command.Result policy = add("--name", "order", "--policy", "keep=5");
    assertThat(policy.exitCode()).isEqualTo(2);
    assertThat(policy.error()).contains("retention.keep-latest");
    Command.Result twice =
        add(
            "--name",
            "order",
            "--policy",
            "retention.keep-latest=5",
            "--policy",
            "retention.keep-latest=6");
    assertThat(twice.exitCode()).as("which of them?").isEqualTo(2);
    assertThat(twice.error()).contains("--policy says retention.keep-latest twice");
    Command.Result none = add("--name", "order", "--policy", "retention.keep-latest");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.error()).contains("--policy takes KEY=VALUE", "'retention.keep-latest'");
    assertThat(wovyr.run("definition", "list").out()).contains("no definitions");
    assertThat(wovyr.run("definition", "add", "order.json").exitCode()).isEqualTo(2);
  }
}
