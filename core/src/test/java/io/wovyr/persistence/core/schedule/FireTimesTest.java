/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FireTimesTest {
  private static FireTimes cron(String expression, String zone) {
    return FireTimes.of(Timing.Cron.of(expression, zone));
  }

  private static Instant at(String time) {
    return OffsetDateTime.parse(time).toInstant();
  }

  /** The fires from a local midnight until another, as local times with their offsets. */
  private static List<String> fires(String expression, String zone, String from, String to) {
    ZoneId id = ZoneId.of(zone);
    Instant end = LocalDate.parse(to).atStartOfDay(id).toInstant();
    List<String> fires = new ArrayList<>();
    FireTimes times = cron(expression, zone);
    Optional<Instant> next =
        times.after(FireTimes.justBefore(LocalDate.parse(from).atStartOfDay(id).toInstant()));
    while (next.isPresent() && next.get().isBefore(end)) {
      fires.add(next.get().atZone(id).toOffsetDateTime().toString());
      next = times.after(next.get());
    }
    return fires;
  }

  @Test
  @DisplayName(
      "C093: a daily time inside the missing hour fires at 03:30 and no later day is missed")
  void theReportedSpring() {
    assertThat(fires("30 2 * * *", "America/New_York", "2026-03-07", "2026-03-11"))
        .containsExactly(
            "2026-03-07T02:30-05:00",
            "2026-03-08T03:30-04:00",
            "2026-03-09T02:30-04:00",
            "2026-03-10T02:30-04:00");
    assertThat(cron("30 2 * * *", "America/New_York").after(at("2026-03-10T02:00-04:00")))
        .contains(at("2026-03-10T02:30-04:00"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Berlin: 02:00 to 03:00 is missing on March 29, and occurs twice on October 25.
        "30 2 * * *       | Europe/Berlin | 2026-03-29 | 2026-03-29T03:30+02:00",
        "0 2 * * *        | Europe/Berlin | 2026-03-29 | 2026-03-29T03:00+02:00",
        "59 1 * * *       | Europe/Berlin | 2026-03-29 | 2026-03-29T01:59+01:00",
        "0 3 * * *        | Europe/Berlin | 2026-03-29 | 2026-03-29T03:00+02:00",
        "30 2,3 * * *     | Europe/Berlin | 2026-03-29 | 2026-03-29T03:30+02:00",
        "*/20 2 * * *     | Europe/Berlin | 2026-03-29 | 2026-03-29T03:00+02:00 2026-03-29T03:20+02:00 2026-03-29T03:40+02:00",
        "15 2 29 3 *      | Europe/Berlin | 2026-03-29 | 2026-03-29T03:15+02:00",
        "30 2 * * *       | Europe/Berlin | 2026-10-25 | 2026-10-25T02:30+02:00",
        "0 2 * * *        | Europe/Berlin | 2026-10-25 | 2026-10-25T02:00+02:00",
        "0 3 * * *        | Europe/Berlin | 2026-10-25 | 2026-10-25T03:00+01:00",
        "0 1-4 * * *      | Europe/Berlin | 2026-10-25 | 2026-10-25T01:00+02:00 2026-10-25T02:00+02:00 2026-10-25T03:00+01:00 2026-10-25T04:00+01:00",
        // New York: 02:00 to 03:00 is missing on March 8, 01:00 to 02:00 occurs twice on November
        // 1.
        "0 2 * * *        | America/New_York | 2026-03-08 | 2026-03-08T03:00-04:00",
        "30 1 * * *       | America/New_York | 2026-11-01 | 2026-11-01T01:30-04:00",
        "30 2 * * *       | America/New_York | 2026-11-01 | 2026-11-01T02:30-05:00",
        // Lord Howe, by half an hour: 02:00 to 02:30 is missing on October 4, 01:30 to 02:00 occurs
        // twice on April 5.
        "15 2 * * *       | Australia/Lord_Howe | 2026-10-04 | 2026-10-04T02:45+11:00",
        "15,45 2 * * *    | Australia/Lord_Howe | 2026-10-04 | 2026-10-04T02:45+11:00",
        "0 2 * * *        | Australia/Lord_Howe | 2026-10-04 | 2026-10-04T02:30+11:00",
        "45 1 * * *       | Australia/Lord_Howe | 2026-04-05 | 2026-04-05T01:45+11:00",
        "0 2 * * *        | Australia/Lord_Howe | 2026-04-05 | 2026-04-05T02:00+10:30",
        // Cairo: midnight itself is missing on April 24.
        "0 0 * * *        | Africa/Cairo | 2026-04-24 | 2026-04-24T01:00+03:00",
        // Every hour: whenever the clock shows it.
        "30 * * * *       | Europe/Berlin | 2026-03-29 | * 23",
        "30 * * * *       | Europe/Berlin | 2026-10-25 | * 25",
        "*/30 0-23 * * *  | Europe/Berlin | 2026-03-29 | * 46",
        "*/30 */1 * * *   | Europe/Berlin | 2026-10-25 | * 50",
        "*/30 * * * *     | America/New_York | 2026-11-01 | * 50",
        "*/30 * * * *     | Australia/Lord_Howe | 2026-10-04 | * 47",
        "*/30 * * * *     | Australia/Lord_Howe | 2026-04-05 | * 49",
      })
  void theDayClocksAreChanged(String expression, String zone, String day, String expected) {
    String next = LocalDate.parse(day).plusDays(1).toString();
    List<String> fires = fires(expression, zone, day, next);
    if (expected.startsWith("* ")) {
      assertThat(fires).hasSize(Integer.parseInt(expected.substring(2))).doesNotHaveDuplicates();
    } else {
      assertThat(fires).containsExactly(expected.split(" "));
    }
  }

  @Test
  void everyHalfHourNeitherStopsNorDoublesWhereClocksChangeByAnHour() {
    for (String zone : List.of("Europe/Berlin", "America/New_York")) {
      FireTimes times = cron("*/30 * * * *", zone);
      Instant last = at("2026-01-01T00:00Z");
      for (Instant fire : times.after(last, 17_000)) {
        assertThat(Duration.between(last, fire)).as("%s, %s", zone, fire).hasMinutes(30);
        last = fire;
      }
      assertThat(last).isAfter(at("2026-12-15T00:00Z"));
    }
  }

  @Test
  void aDayThatDoesNotExistIsOneWithTheNext() {
    assertThat(fires("30 2 * * *", "Pacific/Apia", "2011-12-29", "2012-01-02"))
        .as("there was no December 30")
        .containsExactly(
            "2011-12-29T02:30-10:00", "2011-12-31T02:30+14:00", "2012-01-01T02:30+14:00");
  }

  /** What a field allows, told to the oracle without the library. */
  private record Field(String text, Predicate<Integer> allows) {
    boolean any() {
      return text.equals("*") || text.equals("*/1");
    }
  }

  private static Field field(SplittableRandom random, int from, int to) {
    int a = random.nextInt(from, to + 1);
    int b = random.nextInt(a, to + 1);
    int step = random.nextInt(1, Math.min(to - from, 20) + 1);
    return switch (random.nextInt(5)) {
      case 0 -> new Field("" + a, value -> value == a);
      case 1 -> new Field(a + "-" + b, value -> a <= value && value <= b);
      case 2 -> new Field(a + "," + b, value -> value == a || value == b);
      case 3 -> new Field("*/" + step, value -> (value - from) % step == 0);
      default -> new Field("*", value -> true);
    };
  }

  private record Expression(List<Field> fields) {
    static Expression random(SplittableRandom random) {
      return new Expression(
          List.of(
              field(random, 0, 59),
              field(random, 0, 23),
              field(random, 1, 31),
              field(random, 1, 12),
              field(random, 0, 6)));
    }

    boolean matches(LocalDateTime time) {
      boolean day = fields.get(2).allows().test(time.getDayOfMonth());
      boolean weekday = fields.get(4).allows().test(time.getDayOfWeek().getValue() % 7);
      boolean either = !fields.get(2).any() && !fields.get(4).any();
      return fields.get(0).allows().test(time.getMinute())
          && fields.get(1).allows().test(time.getHour())
          && fields.get(3).allows().test(time.getMonthValue())
          && (either ? day || weekday : day && weekday);
    }

    boolean everyHour() {
      return List.of("*", "*/1", "0-23").contains(fields.get(1).text());
    }

    String text() {
      return fields.stream().map(Field::text).collect(Collectors.joining(" "));
    }
  }

  /** All fires of a time by the rule as it is written, minute by minute. */
  private static SortedSet<Instant> oracle(
      Expression expression, ZoneId zone, LocalDateTime from, LocalDateTime to) {
    SortedSet<Instant> fires = new TreeSet<>();
    for (LocalDateTime local = from; local.isBefore(to); local = local.plusMinutes(1)) {
      if (!expression.matches(local)) {
        continue;
      }
      List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
      if (expression.everyHour()) {
        LocalDateTime shown = local;
        offsets.forEach(offset -> fires.add(shown.toInstant(offset)));
      } else {
        // java.time moves what a gap left out by its length, and takes the first of two.
        fires.add(local.atZone(zone).toInstant());
      }
    }
    return fires;
  }

  private static Stream<Long> seeds() {
    return IntStream.range(0, 100).mapToObj(Long::valueOf);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void agreesWithTheRuleReadMinuteByMinute(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Expression expression = Expression.random(random);
    List<String> zones =
        List.of("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "UTC");
    ZoneId zone = ZoneId.of(zones.get((int) (seed % zones.size())));
    LocalDateTime from =
        LocalDateTime.parse(seed % 2 == 0 ? "2026-03-01T00:00" : "2026-09-20T00:00");
    LocalDateTime to = from.plusDays(70);
    Instant start = from.atZone(zone).toInstant();
    Instant end = to.atZone(zone).toInstant();
    FireTimes times = cron(expression.text(), zone.getId());

    List<Instant> computed = new ArrayList<>();
    Optional<Instant> next = times.after(FireTimes.justBefore(start));
    while (next.isPresent() && next.get().isBefore(end)) {
      computed.add(next.get());
      next = times.after(next.get());
    }

    assertThat(computed)
        .as("%s in %s", expression.text(), zone)
        .containsExactlyElementsOf(oracle(expression, zone, from, to));
    if (!computed.isEmpty()) {
      Instant some = computed.get(random.nextInt(computed.size()));
      assertThat(times.last(start, some)).contains(some);
      assertThat(times.last(start, FireTimes.justBefore(some)))
          .isEqualTo(computed.stream().filter(one -> one.isBefore(some)).reduce((one, two) -> two));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 31 APR *"})
  void whatNeverFiresHasNoNextTime(String expression) {
    assertThat(cron(expression, "Europe/Berlin").after(at("2026-01-01T00:00Z"))).isEmpty();
  }

  @Test
  void aLeapDayFiresWheneverThereIsOne() {
    assertThat(cron("0 12 29 2 *", "Europe/Berlin").after(at("2096-01-01T00:00Z"), 3))
        .as("2100 is no leap year")
        .containsExactly(
            at("2096-02-29T12:00+01:00"),
            at("2104-02-29T12:00+01:00"),
            at("2108-02-29T12:00+01:00"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "61 * * * *     | 'minute'",
        "* 24 * * *     | 'hour'",
        "* * 32 * *     | 'day of month'",
        "* * L * *      | 'day of month'",
        "* * ? * *      | 'day of month'",
        "* * * 0 *      | 'month'",
        "* * * FEBR *   | 'month'",
        "* * * * 5#2    | 'day of week'",
        "1, * * * *     | 'minute'",
        "-1 * * * *     | 'minute'",
        "99999999999 * * * * | 'minute'",
        "* * * *        | has 4",
        "* * * * * *    | has 6",
        "@hourly        | has 1",
        "* * * * 1-5/   | 'day of week'",
        "1-5/ * * * *   | 'minute'",
      })
  void namesTheFieldThatCannotBeRead(String expression, String named) {
    assertThatThrownBy(() -> cron(expression, "UTC"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(named)
        .hasMessageContaining("'" + expression + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Europe/Atlantis", "europe/berlin", "+25:00", "Mars", ""})
  void aZoneThatDoesNotExistIsRefused(String zone) {
    assertThatThrownBy(() -> Timing.Cron.of("0 0 * * *", zone))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("time zone");
  }

  @Test
  void namesOfMonthsAndDaysAreRead() {
    assertThat(cron("0 9 * jan-MAR Mon-Fri", "UTC").after(at("2026-03-30T00:00Z"), 3))
        .containsExactly(at("2026-03-30T09:00Z"), at("2026-03-31T09:00Z"), at("2027-01-01T09:00Z"));
    assertThat(cron("0 9 * * 7", "UTC").after(at("2026-06-01T00:00Z")))
        .as("7 is Sunday, as 0")
        .isEqualTo(cron("0 9 * * 0", "UTC").after(at("2026-06-01T00:00Z")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tr-TR", "az-AZ", "lt-LT", "ar-EG-u-nu-arab", "th-TH-u-ca-buddhist"})
  void namesAreReadWhateverTheLanguageOfTheNode(String language) {
    List<Instant> expected = cron("*/5 9 1 apr fri", "UTC").after(at("2026-03-30T00:00Z"), 99);
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag(language));
      assertThat(cron("*/5 9 1 apr fri", "UTC").after(at("2026-03-30T00:00Z"), 99))
          .isEqualTo(expected);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void anIntervalCountsFromItsAnchorWhateverClocksShow() {
    Instant anchor = at("2026-03-29T00:00:00.5Z");
    FireTimes times = FireTimes.of(new Timing.Every(Duration.ofHours(7), anchor));
    assertThat(times.after(anchor.minus(Duration.ofDays(9)))).contains(anchor);
    assertThat(times.after(anchor)).contains(anchor.plus(Duration.ofHours(7)));
    assertThat(times.after(anchor.plus(Duration.ofHours(14)).minusNanos(1_000)))
        .contains(anchor.plus(Duration.ofHours(14)));
    assertThat(times.after(anchor.plus(Duration.ofHours(70_000))))
        .contains(anchor.plus(Duration.ofHours(70_007)));
  }

  @Test
  void anIntervalIsAtLeastOneSecond() {
    for (Duration wrong :
        Arrays.asList(
            Duration.ofMillis(999),
            Duration.ZERO,
            Duration.ofSeconds(-5),
            Duration.ofDays(36_501))) {
      assertThatThrownBy(() -> new Timing.Every(wrong, Instant.EPOCH))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("1 second");
    }
  }

  @Test
  void everythingEndsWithTheYear9999() {
    Instant late = at("9999-12-31T23:00Z");
    assertThat(cron("30 * * * *", "Europe/Berlin").after(late, 5)).hasSize(1);
    assertThat(FireTimes.of(new Timing.Every(Duration.ofMinutes(40), late)).after(late, 5))
        .hasSize(1);
    assertThatThrownBy(() -> new Timing.Once(late.plus(1, ChronoUnit.HOURS)))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> new Timing.Once(Instant.MIN)).isInstanceOf(InvalidInput.class);
  }

  @Test
  void aYearOfMissedMinutesIsNotWalkedThrough() {
    Instant end = at("2026-06-01T12:00:30Z");
    FireTimes minutely = cron("* * * * *", "Europe/Berlin");
    int[] asked = {0};
    FireTimes counted =
        instant -> {
          asked[0]++;
          return minutely.after(instant);
        };
    assertThat(counted.last(end.minus(Duration.ofDays(365)), end))
        .contains(at("2026-06-01T12:00:00Z"));
    assertThat(asked[0]).isLessThan(100);
  }

  @Test
  void aWindowThatIsOverIsNotWalkedThroughEither() {
    Instant end = at("2026-06-01T12:00:30Z");
    Instant over = at("2026-01-31T23:59:30Z");
    FireTimes minutely = cron("* * * * *", "UTC");
    int[] asked = {0};
    FireTimes counted =
        instant -> {
          asked[0]++;
          return minutely.after(instant).filter(time -> !time.isAfter(over));
        };
    assertThat(counted.last(end.minus(Duration.ofDays(365)), end))
        .contains(at("2026-01-31T23:59:00Z"));
    assertThat(asked[0]).isLessThan(200);

    FireTimes everySecond =
        FireTimes.of(new Timing.Every(Duration.ofSeconds(1), at("2020-01-01T00:00Z")));
    FireTimes window = everySecond.within(Optional.of(at("2025-01-01T00:00Z")), Optional.of(over));
    assertThat(window.last(at("2020-01-01T00:00Z"), end)).contains(over);
    assertThat(window.last(over.plusSeconds(1), end)).isEmpty();
    assertThat(window.last(at("2020-01-01T00:00Z"), at("2024-01-01T00:00Z"))).isEmpty();
  }

  @Test
  void theLastOfAnIntervalIsOneOfItsTimes() {
    Instant anchor = at("2026-01-01T00:00:10Z");
    FireTimes times = FireTimes.of(new Timing.Every(Duration.ofSeconds(90), anchor));
    assertThat(times.last(anchor, anchor)).contains(anchor);
    assertThat(times.last(anchor, anchor.plusSeconds(89))).contains(anchor);
    assertThat(times.last(anchor, anchor.plusSeconds(90))).contains(anchor.plusSeconds(90));
    assertThat(times.last(anchor.plusSeconds(1), anchor.plusSeconds(89))).isEmpty();
    assertThat(times.last(at("2025-01-01T00:00Z"), FireTimes.justBefore(anchor))).isEmpty();
  }
}
