/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.wovyr.conformance.fault.Fault;
import io.wovyr.conformance.fault.FaultyStorage;
import io.wovyr.conformance.memory.MemoryStorageProvider;
import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.metrics.MetricsSnapshot;
import io.wovyr.persistence.payload.Payload;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the layer tells of its work: to OpenTelemetry, and to the samples it stores. */
class TelemetryTest {
  /** Words that no number, time or random id can spell. */
  private static final String SECRET = "order of a person";

  private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build())
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .build();
  private FaultyStorage storage;
  private Persistence persistence;
  private Repositories acme;

  @BeforeEach
  void open() {
    storage = new FaultyStorage(new MemoryStorageProvider().open(Map.of()));
    persistence =
        WovyrPersistence.builder()
            .storage(storage)
            .setting("wovyr.sealing.provider", "none")
            .setting("wovyr.commit.deadline", "PT1S")
            .setting("wovyr.commit.marker-ttl", "PT1H")
            .telemetry(new OpenTelemetryInstruments(sdk))
            .build();
    acme = persistence.as(Caller.of("acme", "somebody", Role.WRITER));
  }

  @AfterEach
  void close() {
    persistence.close();
    sdk.close();
  }

  private CommitResult create(String workflowId) {
    return acme.executions()
        .create(
            NewExecution.of(DefinitionRef.of("order", 1))
                .withWorkflowId(workflowId)
                .withInput(Payload.text(SECRET)));
  }

  private Optional<MetricData> metric(String name) {
    Collection<MetricData> all = metrics.collectAllMetrics();
    return all.stream().filter(one -> one.getName().equals(name)).findFirst();
  }

  private static Attributes attributes(String key, String value) {
    return Attributes.of(AttributeKey.stringKey(key), value);
  }

  private long calls(String name, Attributes wanted) {
    return metric(name).orElseThrow().getHistogramData().getPoints().stream()
        .filter(point -> point.getAttributes().equals(wanted))
        .mapToLong(HistogramPointData::getCount)
        .sum();
  }

  private long count(String name, Attributes wanted) {
    return metric(name).orElseThrow().getLongSumData().getPoints().stream()
        .filter(point -> point.getAttributes().equals(wanted))
        .mapToLong(point -> point.getValue())
        .sum();
  }

  @Test
  void readsAndWritesAreTimedInSecondsByCall() {
    create("a").orThrow();
    acme.executions().list(Optional.empty(), 100, Optional.empty());

    assertThat(metric("wovyr.write.duration").orElseThrow().getUnit()).isEqualTo("s");
    assertThat(calls("wovyr.write.duration", attributes("wovyr.call", "commit"))).isEqualTo(1);
    assertThat(calls("wovyr.read.duration", attributes("wovyr.call", "scan"))).isEqualTo(1);
    assertThat(count("wovyr.query.rows", attributes("wovyr.call", "scan"))).isEqualTo(1);
    assertThat(calls("wovyr.transaction.duration", attributes("wovyr.outcome", "committed")))
        .isEqualTo(1);
    assertThat(metric("wovyr.write.duration").orElseThrow().getHistogramData().getPoints())
        .allSatisfy(point -> assertThat(point.getSum()).isBetween(0.0, 10.0));
  }

  @Test
  void aConflictIsCountedByTheGuardThatDidNotHoldAndIsNoFailure() {
    create("a").orThrow();

    assertThat(create("a").isCommitted()).isFalse();

    assertThat(count("wovyr.lock.conflicts", attributes("wovyr.guard", "unique"))).isEqualTo(1);
    assertThat(calls("wovyr.transaction.duration", attributes("wovyr.outcome", "conflict")))
        .isEqualTo(1);
    assertThat(metric("wovyr.transaction.failures")).isEmpty();
  }

  @Test
  void aTryThatFailsIsInTheWritesAndACommitThatEndsInAnErrorIsAFailure() {
    storage.failNext(Fault.BEFORE);
    create("a").orThrow();

    Attributes failed =
        attributes("wovyr.call", "commit").toBuilder().put("error.type", "unavailable").build();
    assertThat(calls("wovyr.write.duration", failed)).isEqualTo(1);
    assertThat(calls("wovyr.write.duration", attributes("wovyr.call", "commit"))).isEqualTo(1);
    assertThat(metric("wovyr.transaction.failures")).as("it was written in the end").isEmpty();

    Fault[] always = new Fault[1_000];
    java.util.Arrays.fill(always, Fault.BEFORE);
    storage.failNext(always);
    assertThatThrownBy(() -> create("b")).isInstanceOf(Unavailable.class);

    assertThat(count("wovyr.transaction.failures", attributes("error.type", "unavailable")))
        .isEqualTo(1);
  }

  @Test
  void aTraceShowsACommitAndItsTriesBelowTheCallersSpanAndNothingOfTheContents() {
    storage.failNext(Fault.BEFORE);
    var tracer = sdk.getTracer("application");
    var outer = tracer.spanBuilder("handle order").startSpan();
    CommitResult.Applied committed;
    try (var scope = outer.makeCurrent()) {
      committed = create("a").orThrow();
    } finally {
      outer.end();
    }

    List<SpanData> all = spans.getFinishedSpanItems();
    SpanData commit = one(all, "wovyr transaction");
    assertThat(commit.getParentSpanId()).isEqualTo(outer.getSpanContext().getSpanId());
    assertThat(commit.getAttributes().get(AttributeKey.stringKey("wovyr.commit")))
        .isEqualTo(committed.commitId().toString());
    assertThat(commit.getAttributes().get(AttributeKey.stringKey("wovyr.tenant")))
        .isEqualTo("acme");
    List<SpanData> tries = all.stream().filter(s -> s.getName().equals("wovyr commit")).toList();
    assertThat(tries).hasSize(2);
    assertThat(tries).allMatch(s -> s.getParentSpanId().equals(commit.getSpanId()));
    assertThat(tries.get(0).getStatus().getStatusCode())
        .isEqualTo(StatusData.error().getStatusCode());
    assertThat(all.toString()).doesNotContain(SECRET, "person");
  }

  @Test
  void withoutACallersSpanACommitBeginsATraceOfItsOwnAndLeavesNoneCurrent() {
    create("a").orThrow();

    assertThat(one(spans.getFinishedSpanItems(), "wovyr transaction").getParentSpanId())
        .isEqualTo(SpanId.getInvalid());
    assertThat(io.opentelemetry.api.trace.Span.current().getSpanContext().isValid()).isFalse();
  }

  private static SpanData one(List<SpanData> all, String name) {
    return all.stream().filter(span -> span.getName().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void gaugesShowTheSizesLastCountedAndHowTheStoreIsUntilItIsClosed() {
    create("a").orThrow();
    assertThat(metric("wovyr.storage.records")).as("nobody counted yet").isEmpty();

    persistence.system("test").metrics().sample().orThrow();

    assertThat(
            metric("wovyr.storage.records").orElseThrow().getLongGaugeData().getPoints().stream()
                .filter(
                    point -> point.getAttributes().equals(attributes("wovyr.record", "execution")))
                .mapToLong(point -> point.getValue())
                .sum())
        .isEqualTo(1);
    assertThat(
            metric("wovyr.storage.writable").orElseThrow().getLongGaugeData().getPoints().stream()
                .mapToLong(point -> point.getValue()))
        .containsExactly(1L);
    assertThat(metric("wovyr.feed.lag").orElseThrow().getUnit()).isEqualTo("s");
    assertThat(metric("wovyr.replication.lag")).as("there is no standby").isEmpty();

    persistence.close();

    assertThat(metric("wovyr.storage.writable")).isEmpty();
  }

  @Test
  void aStoredSampleHoldsWhatWasCountedSinceTheStoreWasOpened() {
    create("a").orThrow();
    create("a");
    acme.executions().list(Optional.empty(), 100, Optional.empty());

    persistence.system("test").metrics().sample().orThrow();

    MetricsSnapshot sample =
        persistence
            .system("test")
            .metrics()
            .list("storage", Instant.MIN, Instant.MAX, 10, Optional.empty())
            .items()
            .get(0);
    assertThat(sample.readings())
        .contains("calls.commit.count=2", "calls.commit.failures=0", "conflicts.unique=1")
        .contains("calls.scan.rows=1", "records.execution=1", "histories.broken=0")
        .anyMatch(reading -> reading.matches("calls\\.commit\\.seconds=0\\.\\d{9}"));
  }
}
