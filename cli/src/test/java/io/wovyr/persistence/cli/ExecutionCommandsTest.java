/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.lease.Lease;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The execution commands over a real SQLite store. */
final class ExecutionCommandsTest {
  @TempDir private Path directory;
  private Command wovyr;
  private SampleStore store;

  @BeforeEach
  void openStore() {
    wovyr = new Command(directory);
    store = SampleStore.create(wovyr.store());
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Nested
  final class Listing {
    @Test
    void showsExecutionsInAlignedColumns() {
      UUID done = store.completeOrder("order-1");
      UUID open = store.createOrder("a-longer-order-name");

      Command.Result result = wovyr.run("execution", "list");

      assertThat(result.exitCode()).isZero();
      assertThat(result.error()).isEmpty();
      assertThat(result.lines()).hasSize(3);
      int statusColumn = result.lines().get(0).indexOf("STATUS");
      int definitionColumn = result.lines().get(0).indexOf("DEFINITION");
      assertThat(line(result, done).substring(statusColumn)).startsWith("COMPLETED");
      assertThat(line(result, open).substring(statusColumn)).startsWith("CREATED");
      assertThat(line(result, done).substring(definitionColumn)).startsWith("order 2");
      assertThat(line(result, open).substring(definitionColumn)).startsWith("order 2");
    }

    private String line(Command.Result result, UUID id) {
      return result.lines().stream()
          .filter(l -> l.startsWith(id.toString()))
          .findFirst()
          .orElseThrow();
    }

    @Test
    void answersInJson() {
      UUID id = store.completeOrder("order-1");

      Command.Result result = wovyr.run("execution", "list", "--output", "json");

      Parsed json = Parsed.of(result.out());
      assertThat(result.lines()).hasSize(1);
      assertThat(json.text("tenant")).isEqualTo("orders");
      assertThat(json.isNull("next")).isTrue();
      Parsed item = json.item("executions", 0);
      assertThat(item.names())
          .containsExactly(
              "id", "workflowId", "status", "definition", "createdAt", "updatedAt", "closedAt");
      assertThat(item.text("id")).isEqualTo(id.toString());
      assertThat(item.text("status")).isEqualTo("COMPLETED");
      assertThat(item.at("definition").text("name")).isEqualTo("order");
      assertThat(item.text("closedAt")).endsWith("Z");
    }

    @Test
    void keepsToOneStatus() {
      store.completeOrder("order-1");
      UUID open = store.createOrder("order-2");

      Command.Result result =
          wovyr.run("execution", "list", "--status", "created", "--output=json");

      Parsed json = Parsed.of(result.out());
      assertThat(json.size("executions")).isEqualTo(1);
      assertThat(json.item("executions", 0).text("id")).isEqualTo(open.toString());
    }

    @Test
    void findsByWorkflowIdWhatIsLiveAndWhatHasEnded() {
      UUID first = store.completeOrder("order-1");
      UUID second = store.completeOrder("order-1");
      store.completeOrder("order-2");

      Command.Result result =
          wovyr.run("execution", "list", "--workflow-id", "order-1", "--limit", "1");
      String more = result.lines().get(2);
      Command.Result rest = wovyr.runBare(more.substring("more: wovyr ".length()).split(" "));

      assertThat(more).startsWith("more: wovyr execution list --workflow-id order-1 --limit 1");
      assertThat(List.of(id(result), id(rest)))
          .as("the newest first")
          .containsExactly(second, first);
      assertThat(rest.lines()).hasSize(2);
      assertThat(wovyr.run("execution", "list", "--workflow-id", "order-3").out())
          .contains("no executions with the workflow id 'order-3'", "wovyr execution list --store");
      assertThat(
              wovyr
                  .run("execution", "list", "--workflow-id", "order-1", "--status", "FAILED")
                  .exitCode())
          .isEqualTo(2);
    }

    private UUID id(Command.Result listed) {
      return UUID.fromString(listed.lines().get(1).split(" ")[0]);
    }

    @Test
    void goesThroughAllPagesAndSeesEveryExecutionOnce() {
      List<String> created = new ArrayList<>();
      IntStream.range(0, 7).forEach(i -> created.add(store.createOrder("order-" + i).toString()));

      List<String> seen = new ArrayList<>();
      String[] arguments = {"execution", "list", "--limit", "3", "--output", "json"};
      Parsed page = Parsed.of(wovyr.run(arguments).out());
      while (true) {
        for (int i = 0; i < page.size("executions"); i++) {
          seen.add(page.item("executions", i).text("id"));
        }
        if (page.isNull("next")) {
          break;
        }
        String place = page.text("next");
        page =
            Parsed.of(
                wovyr
                    .run("execution", "list", "--limit", "3", "--output", "json", "--after", place)
                    .out());
      }

      assertThat(seen).containsExactlyElementsOf(created);
    }

    @Test
    void printsTheCommandThatShowsMore() {
      IntStream.range(0, 3).forEach(i -> store.createOrder("order-" + i));

      Command.Result first = wovyr.run("execution", "list", "--limit", "2", "--status", "CREATED");

      String more = first.lines().get(first.lines().size() - 1);
      assertThat(more).startsWith("more: wovyr execution list --status CREATED --limit 2 --after ");
      String[] words = more.substring("more: wovyr ".length()).split(" ");
      assertThat(wovyr.runBare(words).lines()).hasSize(2).last().asString().contains("order-2");
    }

    @Test
    void saysWhatToDoWhenThereIsNothing() {
      Command.Result all = wovyr.run("execution", "list");
      Command.Result failed = wovyr.run("execution", "list", "--status", "FAILED");

      assertThat(all.exitCode()).isZero();
      assertThat(all.out())
          .contains(
              "no executions of tenant 'orders'",
              store.path().toString(),
              "another tenant's: --tenant NAME",
              "wovyr demo");
      assertThat(failed.out())
          .contains("no executions that are FAILED", "wovyr execution list --store");
    }

    @Test
    void showsOnlyTheTenantAskedFor() {
      store.createOrder("order-1");
      SampleStore.createOrder(store.tenant("acme"), "acme-1");

      assertThat(wovyr.run("execution", "list").out()).contains("order-1").doesNotContain("acme-1");
      assertThat(wovyr.run("execution", "list", "--tenant", "acme").out())
          .contains("acme-1")
          .doesNotContain("order-1");
    }

    @Test
    void refusesALimitOutOfRange() {
      Command.Result result = wovyr.run("execution", "list", "--limit", "0");

      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.error())
          .isEqualTo(
              "wovyr: --limit must be 1 to 100,000, not 0; see wovyr execution list --help"
                  + System.lineSeparator());
    }
  }

  @Nested
  final class Showing {
    @Test
    void findsALiveExecutionByItsWorkflowIdAndAnyByItsId() {
      UUID live = store.createOrder("order-1");
      UUID done = store.completeOrder("order-2");

      assertThat(wovyr.run("execution", "show", "order-1").out()).contains(live.toString());
      assertThat(wovyr.run("execution", "show", done.toString()).out()).contains("COMPLETED");
      Command.Result ended = wovyr.run("execution", "show", "order-2");
      assertThat(ended.exitCode()).isEqualTo(5);
      assertThat(ended.error())
          .contains("'order-2'", "wovyr execution list --workflow-id order-2 --store");
    }

    @Test
    void tellsWhoHoldsItAndWhenThatRunsOut() {
      UUID id = store.createOrder("order-1");
      store.acquire(id, "worker-7");

      Command.Result result = wovyr.run("execution", "show", id.toString());

      assertThat(result.out()).containsPattern("lease +worker-7, runs out in 2\\d s");
      assertThat(result.out()).containsPattern("events +1\n");
    }

    @Test
    void answersInJson() {
      UUID id = store.createOrder("order-1");
      Lease lease = store.acquire(id, "worker-7");

      Parsed json = Parsed.of(wovyr.run("execution", "show", "order-1", "--output", "json").out());

      assertThat(json.text("id")).isEqualTo(id.toString());
      assertThat(json.text("tenant")).isEqualTo("orders");
      assertThat(json.at("input").text("contentType")).isEqualTo("application/json");
      assertThat(json.at("input").number("length")).isEqualTo(31);
      assertThat(json.isNull("outcome")).isTrue();
      assertThat(json.at("head").text("owner")).isEqualTo("worker-7");
      assertThat(json.at("head").number("fencingToken")).isEqualTo(lease.token());
      assertThat(json.at("head").text("leaseTtl")).isEqualTo("PT30S");
    }

    @Test
    void endsWithFiveWhenThereIsNoSuchExecution() {
      String id = "01a229ca-1976-7524-8cd5-cd84a201e650";
      for (String command : List.of("show", "events", "tail", "state")) {
        Command.Result result = wovyr.run("execution", command, id);

        assertThat(result.exitCode()).isEqualTo(5);
        assertThat(result.out()).isEmpty();
        assertThat(result.error().lines())
            .singleElement()
            .asString()
            .startsWith("wovyr: there is no execution " + id + " of tenant 'orders'")
            .contains("wovyr execution list --store " + store.path());
      }
    }
  }

  @Nested
  final class Events {
    @Test
    void areShownInOrderWithTheirStateChanges() {
      UUID id = store.completeOrder("order-1");

      Command.Result result = wovyr.run("execution", "events", id.toString());

      assertThat(result.lines()).hasSize(5);
      assertThat(result.lines().get(1)).startsWith("  1  ").contains("order-service");
      assertThat(result.lines().get(3))
          .startsWith("  3  ")
          .contains("Charged", "+activities/charge +variables/receipt", "application/json, 42 B");
    }

    @Test
    void beginWhereAskedAndTellWhereToGoOn() {
      UUID id = store.completeOrder("order-1");

      Parsed json =
          Parsed.of(
              wovyr
                  .run(
                      "execution",
                      "events",
                      id.toString(),
                      "--from",
                      "2",
                      "--limit",
                      "2",
                      "--output",
                      "json")
                  .out());

      assertThat(json.text("executionId")).isEqualTo(id.toString());
      assertThat(json.size("events")).isEqualTo(2);
      assertThat(json.item("events", 0).number("sequence")).isEqualTo(2);
      assertThat(json.number("next")).isEqualTo(4);
      Parsed charged = json.item("events", 1);
      assertThat(charged.text("type")).isEqualTo("Charged");
      assertThat(charged.item("changes", 0).text("value")).isEqualTo("payload");
      assertThat(charged.item("changes", 1).at("value").text("contentType"))
          .isEqualTo("text/plain;charset=utf-8");
    }

    @Test
    void thatWerePurgedEndWithSevenAndTellWhereTheyBegin() {
      UUID id = store.completeOrder("order-1");
      store.orders().events().purge(id, 3, true);

      Command.Result gone = wovyr.run("execution", "events", id.toString());

      assertThat(gone.exitCode()).isEqualTo(7);
      assertThat(gone.error()).contains("before 3 were purged", "--from 3");
      assertThat(wovyr.run("execution", "events", id.toString(), "--from", "3").exitCode())
          .isZero();
      assertThat(wovyr.run("execution", "tail", id.toString()).lines()).hasSize(3);
      assertThat(wovyr.run("execution", "state", id.toString()).exitCode()).isEqualTo(7);
    }

    @Test
    @DisplayName("C012: a hole in the history ends with 6 and names execution and number")
    void withAHoleEndWithSixAndNameIt() throws Exception {
      UUID id = store.completeOrder("order-1");
      UUID other = store.completeOrder("order-2");
      store.tamper(
          "INSERT INTO purge_permit (id, ends) VALUES (1, 1)",
          "DELETE FROM workflow_event WHERE sequence = 2 AND execution_id = unhex('"
              + id.toString().replace("-", "")
              + "')",
          "DELETE FROM purge_permit");

      for (String command : List.of("events", "state")) {
        Command.Result result = wovyr.run("execution", command, id.toString());
        assertThat(result.exitCode()).isEqualTo(6);
        assertThat(result.error()).contains(id.toString(), "missing 2");
      }
      assertThat(wovyr.run("execution", "state", other.toString()).exitCode()).isZero();
    }
  }

  @Nested
  final class State {
    @Test
    void hasTheHashesTheLibraryComputes() {
      UUID id = store.completeOrder("order-1");
      var executions = store.orders().executions();

      Parsed now =
          Parsed.of(wovyr.run("execution", "state", id.toString(), "--output", "json").out());
      Parsed before =
          Parsed.of(
              wovyr
                  .run("execution", "state", id.toString(), "--at", "2", "--output", "json")
                  .out());

      assertThat(now.number("sequence")).isEqualTo(4);
      assertThat(now.text("stateHash")).isEqualTo(executions.state(id).hash().toString());
      assertThat(now.text("contentHash"))
          .isEqualTo(executions.state(id).contentHash(store.orders()::open).toString());
      assertThat(before.text("stateHash")).isEqualTo(executions.state(id, 2).hash().toString());
      assertThat(before.size("entries")).isLessThan(now.size("entries"));
    }

    @Test
    void isShownBySectionAndKeyWithSizes() {
      UUID id = store.completeOrder("order-1");

      Command.Result result = wovyr.run("execution", "state", id.toString());

      assertThat(result.out())
          .containsPattern("state hash +1:[0-9a-f]{64}")
          .containsPattern("content hash +1:[0-9a-f]{64}")
          .containsPattern("activities +charge +42 B +application/json +3\n")
          .containsPattern("variables +receipt +29 B +text/plain;charset=utf-8 +3\n");
    }

    @Test
    void isEmptyAtTheBeginning() {
      UUID id = store.completeOrder("order-1");

      Command.Result result = wovyr.run("execution", "state", id.toString(), "--at", "0");

      assertThat(result.exitCode()).isZero();
      assertThat(result.out()).contains("the state is empty");
    }

    @Test
    void cannotBeShownAfterAnEventThatIsNotThere() {
      UUID id = store.completeOrder("order-1");

      for (String at : List.of("5", "-1")) {
        Command.Result result = wovyr.run("execution", "state", id.toString(), "--at", at);
        assertThat(result.exitCode()).isEqualTo(5);
        assertThat(result.error()).contains("no event " + at, "end at 4");
      }
    }
  }

  @Nested
  final class Values {
    private final List<List<String>> commands =
        List.of(
            List.of("execution", "show", "ID"),
            List.of("execution", "events", "ID"),
            List.of("execution", "tail", "ID", "--from", "1"),
            List.of("execution", "state", "ID"),
            List.of("feed", "tail"));

    @Test
    void areNeverShownUnlessAskedFor() {
      String id = store.completeOrder("order-1").toString();
      for (String format : List.of("text", "json")) {
        for (List<String> command : commands) {
          Command.Result hidden = wovyr.run(words(command, id, "--output", format));
          assertThat(hidden.exitCode()).isZero();
          assertThat(hidden.out() + hidden.error()).doesNotContain(SampleStore.SECRET);

          Command.Result shown = wovyr.run(words(command, id, "--output", format, "--values"));
          assertThat(shown.exitCode()).isZero();
          assertThat(shown.out()).contains(SampleStore.SECRET);
        }
      }
    }

    private String[] words(List<String> command, String id, String... more) {
      List<String> words = new ArrayList<>(command);
      words.replaceAll(word -> word.equals("ID") ? id : word);
      words.addAll(List.of(more));
      return words.toArray(String[]::new);
    }
  }

  @Nested
  final class Following {
    @Test
    void showsTheEventsOfAnEndedExecutionAndEnds() {
      UUID id = store.completeOrder("order-1");

      Command.Result result = wovyr.run("execution", "tail", id.toString());

      assertThat(result.exitCode()).isZero();
      assertThat(result.lines()).hasSize(5);
      assertThat(result.lines().get(2)).contains("Charged");
      assertThat(result.lines().get(4)).isEqualTo("ended: COMPLETED");
    }

    @Test
    void showsWhatIsCommittedMeanwhileUntilTheExecutionHasEnded() {
      UUID id = store.createOrder("order-1");
      Lease lease = store.acquire(id, "worker-1");
      store.transition(lease, ExecutionStatus.RUNNING);
      Background tail = Background.run(wovyr, "execution", "tail", "order-1", "--output", "json");

      tail.awaitLines(2);
      store.charge(lease, 1);
      tail.awaitLines(3);
      store.charge(lease, 2);
      store.transition(lease, ExecutionStatus.COMPLETED);

      assertThat(tail.awaitExit()).isZero();
      assertThat(tail.lines().stream().map(line -> Parsed.of(line).number("sequence")))
          .containsExactly(1L, 2L, 3L, 4L, 5L);
    }
  }
}
