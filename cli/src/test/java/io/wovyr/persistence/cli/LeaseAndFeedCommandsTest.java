/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.lease.Lease;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lease and feed commands over a real SQLite store. */
final class LeaseAndFeedCommandsTest {
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
  final class Leases {
    @Test
    void showsOwnersAndWhatTheyHold() {
      UUID first = store.createOrder("order-1");
      UUID second = store.createOrder("order-2");
      store.createOrder("order-3");
      store.acquire(first, "worker-b");
      Lease lease = store.acquire(second, "worker-a");

      Command.Result result = wovyr.run("lease", "list");

      assertThat(result.exitCode()).isZero();
      assertThat(result.lines()).hasSize(3);
      assertThat(result.out())
          .containsPattern("worker-b +" + first)
          .containsPattern("worker-a +" + second + " +" + lease.token() + " +in 2\\d s +30 s");
    }

    @Test
    void answersInJson() {
      UUID id = store.createOrder("order-1");
      Lease lease = store.acquire(id, "worker-b");

      Parsed json = Parsed.of(wovyr.run("lease", "list", "--output", "json").out());

      assertThat(json.size("leases")).isEqualTo(1);
      Parsed item = json.item("leases", 0);
      assertThat(item.text("executionId")).isEqualTo(id.toString());
      assertThat(item.text("owner")).isEqualTo("worker-b");
      assertThat(item.number("token")).isEqualTo(lease.token());
      assertThat(item.text("ttl")).isEqualTo("PT30S");
    }

    @Test
    void goesThroughAllPages() {
      List<String> held = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        UUID id = store.createOrder("order-" + i);
        store.acquire(id, "worker");
        held.add(id.toString());
      }

      Parsed first =
          Parsed.of(wovyr.run("lease", "list", "--limit", "3", "--output", "json").out());
      Parsed second =
          Parsed.of(
              wovyr.run("lease", "list", "--after", first.text("next"), "--output", "json").out());

      List<String> seen = new ArrayList<>();
      for (Parsed page : List.of(first, second)) {
        for (int i = 0; i < page.size("leases"); i++) {
          seen.add(page.item("leases", i).text("executionId"));
        }
      }
      assertThat(seen).containsExactlyElementsOf(held);
    }

    @Test
    void saysSoWhenNobodyHoldsAnything() {
      store.release(store.acquire(store.createOrder("order-1"), "worker-b"));

      Command.Result result = wovyr.run("lease", "list");

      assertThat(result.exitCode()).isZero();
      assertThat(result.out()).contains("no leases are held", "wovyr execution list");
    }
  }

  @Nested
  final class Feed {
    @Test
    void showsTheLastEventsAndHowToGoOn() {
      store.completeOrder("order-1");
      UUID last = store.completeOrder("order-2");

      assertThat(wovyr.run("feed", "tail", "--last", "0").out())
          .startsWith("what comes next: ")
          .doesNotContain("no events");
      assertThat(wovyr.run("feed", "status", "--count", "0").out())
          .containsPattern("feed +not read to its end");

      Command.Result result = wovyr.run("feed", "tail", "--last", "2");

      assertThat(result.lines()).hasSize(3);
      assertThat(result.lines().get(0)).startsWith(last.toString()).contains("Charged");
      String goOn = result.lines().get(2);
      assertThat(goOn).startsWith("what comes next: wovyr feed tail --from ");
      store.completeOrder("order-3");
      String[] words = goOn.substring("what comes next: wovyr ".length()).split(" ");
      assertThat(wovyr.runBare(words).lines()).hasSize(4 + 1);
    }

    @Test
    void showsEveryEventExactlyOnceFromTheBeginning() {
      store.completeOrder("order-1");
      store.completeOrder("order-2");

      List<Parsed> entries =
          wovyr.run("feed", "tail", "--from", "beginning", "--output", "json").lines().stream()
              .map(Parsed::of)
              .toList();

      assertThat(entries).hasSize(8);
      assertThat(entries.stream().map(e -> e.at("event").text("id")).distinct()).hasSize(8);
      assertThat(entries.get(0).names()).containsExactly("cursor", "tenant", "event");
      assertThat(entries.get(7).at("event").number("sequence")).isEqualTo(4);
    }

    @Test
    void goesOnAfterTheCursorOfAnyEntry() {
      store.completeOrder("order-1");
      List<String> lines =
          wovyr.run("feed", "tail", "--from", "beginning", "--output", "json").lines();

      String cursor = Parsed.of(lines.get(1)).text("cursor");

      assertThat(wovyr.run("feed", "tail", "--from", cursor, "--output", "json").lines())
          .containsExactlyElementsOf(lines.subList(2, 4));
    }

    @Test
    void endsAtTheLimitAndSaysHowToGoOn() {
      store.completeOrder("order-1");
      List<String> all =
          wovyr.run("feed", "tail", "--from", "beginning", "--output", "json").lines();

      Command.Result first = wovyr.run("feed", "tail", "--from", "beginning", "--limit", "3");
      String goOn = first.lines().get(first.lines().size() - 1);
      String rest = goOn.substring("what comes next: wovyr ".length()) + " --output json";

      assertThat(first.lines()).hasSize(3 + 1);
      assertThat(wovyr.runBare(rest.split(" ")).lines())
          .containsExactlyElementsOf(all.subList(3, 4));
      assertThat(wovyr.run("feed", "tail", "--limit", "2", "--output", "json").lines())
          .containsExactlyElementsOf(all.subList(2, 4));
      assertThat(wovyr.run("feed", "tail", "--limit", "0").exitCode()).isEqualTo(2);
    }

    @Test
    void theExampleOfACursorIsOne() {
      Command.Result wrong = wovyr.run("feed", "tail", "--from", "yesterday");

      assertThat(wrong.exitCode()).isEqualTo(2);
      String example = wrong.error().strip().replaceFirst(".* such as ", "");
      assertThat(wovyr.run("feed", "tail", "--from", example).error())
          .doesNotContain("is no cursor");
    }

    @Test
    void showsOneTenantOrAll() {
      store.createOrder("order-1");
      SampleStore.createOrder(store.tenant("acme"), "acme-1");

      assertThat(wovyr.run("feed", "tail", "--output", "json").lines()).hasSize(1);
      List<String> all = wovyr.run("feed", "tail", "--all", "--output", "json").lines();
      assertThat(all.stream().map(line -> Parsed.of(line).text("tenant")))
          .containsExactlyInAnyOrder("orders", "acme");
      assertThat(wovyr.run("feed", "tail", "--all").out())
          .contains("acme  ")
          .contains("wovyr feed tail --all --from");
    }

    @Test
    void followsUntilItIsInterrupted() {
      UUID id = store.createOrder("order-1");
      Background tail = Background.run(wovyr, "feed", "tail", "--follow", "--output", "json");
      tail.awaitLines(1);

      store.transition(store.acquire(id, "worker"), ExecutionStatus.RUNNING);
      tail.awaitLines(2);
      tail.interrupt();

      assertThat(tail.awaitExit()).isZero();
      assertThat(tail.lines().stream().map(line -> Parsed.of(line).at("event").number("sequence")))
          .containsExactly(1L, 2L);
    }

    @Test
    void saysSoWhenNothingHappenedYet() {
      assertThat(wovyr.run("feed", "tail").out()).contains("no events of tenant 'orders'");
    }

    @Test
    void tellsHowFarTheFeedIsAndHowFarItsConsumersAre() {
      store.completeOrder("order-1");
      List<String> lines =
          wovyr.run("feed", "tail", "--from", "beginning", "--output", "json").lines();
      String second = Parsed.of(lines.get(1)).text("cursor");
      String last = Parsed.of(lines.get(3)).text("cursor");
      store
          .orders()
          .feed()
          .cursors()
          .insert(RegisteredCursor.of("billing", CursorText.parse(second)));

      Command.Result text = wovyr.run("feed", "status");
      Command.Result json = wovyr.run("feed", "status", "--output", "json");

      assertThat(text.exitCode()).as(text.error()).isZero();
      assertThat(text.out())
          .containsPattern("feed +up to date\n")
          .containsPattern("events +4\n")
          .contains(last)
          .containsPattern("billing +2 ");
      Parsed status = Parsed.of(json.out());
      assertThat(status.flag("heldBack")).isFalse();
      assertThat(status.number("events")).isEqualTo(4);
      assertThat(status.text("position")).isEqualTo(last);
      Parsed consumer = status.item("consumers", 0);
      assertThat(consumer.text("name")).isEqualTo("billing");
      assertThat(consumer.text("position")).isEqualTo(second);
      assertThat(consumer.number("behind")).isEqualTo(2);
    }

    @Test
    void countsNoMoreOfTheFeedThanWasAskedFor() {
      store.completeOrder("order-1");

      Command.Result some = wovyr.run("feed", "status", "--count", "3");
      Command.Result exactly = wovyr.run("feed", "status", "--count", "4");

      assertThat(some.out()).containsPattern("events +3 or more\n").contains("counted to");
      assertThat(exactly.out()).containsPattern("events +4\n").contains("end ");
    }

    @Test
    void refusesWhatIsNoCursorOfThisStore() {
      store.createOrder("order-1");
      for (String wrong : List.of("soon", "1:", "x:1", "7:1", "1:later")) {
        Command.Result result = wovyr.run("feed", "tail", "--from", wrong);
        assertThat(result.exitCode()).as(wrong).isEqualTo(2);
        assertThat(result.error().lines()).as(wrong).hasSize(1);
      }
    }

    @Test
    void refusesOptionsThatContradictEachOther() {
      assertThat(wovyr.run("feed", "tail", "--all", "--tenant", "acme").exitCode()).isEqualTo(2);
      assertThat(wovyr.run("feed", "tail", "--last", "-1").exitCode()).isEqualTo(2);
    }

    @Test
    void endsWithSevenWhenWhatFollowsTheCursorWasPurged() {
      UUID id = store.completeOrder("order-1");
      List<String> lines =
          wovyr.run("feed", "tail", "--from", "beginning", "--output", "json").lines();
      store.orders().events().purge(id, 4, true);

      Command.Result result =
          wovyr.run("feed", "tail", "--from", Parsed.of(lines.get(0)).text("cursor"));

      assertThat(result.exitCode()).isEqualTo(7);
      assertThat(result.error()).contains("purged");
      assertThat(wovyr.run("feed", "tail", "--output", "json").lines())
          .singleElement()
          .satisfies(
              line -> assertThat(Parsed.of(line).at("event").number("sequence")).isEqualTo(4));
    }
  }
}
