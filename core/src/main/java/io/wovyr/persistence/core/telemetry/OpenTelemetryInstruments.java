/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Health;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Metrics and traces by OpenTelemetry. Durations are in seconds, as its conventions ask. The names
 * and attributes are listed in {@code docs/observability.md}. Tenants are an attribute of spans
 * only: there may be many of them. Thread-safe.
 *
 * <pre>{@code
 * WovyrPersistence.builder()
 *     .provider(new SqliteStorageProvider())
 *     .setting("wovyr.storage.path", "orders.db")
 *     .telemetry(new OpenTelemetryInstruments(GlobalOpenTelemetry.get()))
 *     .build()
 * }</pre>
 *
 * @since 0.1
 */
public final class OpenTelemetryInstruments implements Telemetry {
  private static final String SCOPE = "io.wovyr.persistence";
  private static final AttributeKey<String> CALL = AttributeKey.stringKey("wovyr.call");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("wovyr.outcome");
  private static final AttributeKey<String> GUARD = AttributeKey.stringKey("wovyr.guard");
  private static final AttributeKey<String> TENANT = AttributeKey.stringKey("wovyr.tenant");
  private static final AttributeKey<String> RECORD = AttributeKey.stringKey("wovyr.record");
  private static final AttributeKey<String> COMMIT = AttributeKey.stringKey("wovyr.commit");
  private static final AttributeKey<Long> ROWS = AttributeKey.longKey("wovyr.rows");
  private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

  private static final String CONFLICT = "conflict";
  private static final List<Double> BOUNDARIES =
      List.of(0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 10.0);

  private final Meter meter;
  private final Tracer tracer;
  private final DoubleHistogram reads;
  private final DoubleHistogram writes;
  private final DoubleHistogram transactions;
  private final LongCounter failures;
  private final LongCounter conflicts;
  private final LongCounter rows;
  private final Map<Call, Attributes> ofCall = new EnumMap<>(Call.class);
  private final Gauges gauges;

  /** Instruments of this OpenTelemetry, under the scope {@code io.wovyr.persistence}. */
  public OpenTelemetryInstruments(OpenTelemetry openTelemetry) {
    this.meter = openTelemetry.getMeter(SCOPE);
    this.tracer = openTelemetry.getTracer(SCOPE);
    this.reads = duration("wovyr.read.duration", "Time of one read by the store");
    this.writes = duration("wovyr.write.duration", "Time of one write by the store");
    this.transactions =
        duration("wovyr.transaction.duration", "Time of one commit, all its tries included");
    this.failures =
        counter("wovyr.transaction.failures", "{transaction}", "Commits that ended in an error");
    this.conflicts = counter("wovyr.lock.conflicts", "{conflict}", "Guards that did not hold");
    this.rows = counter("wovyr.query.rows", "{row}", "Rows that reads returned");
    for (Call call : Call.values()) {
      ofCall.put(call, Attributes.of(CALL, call.label()));
    }
    this.gauges = new Gauges(meter, RECORD);
  }

  private DoubleHistogram duration(String name, String what) {
    return meter
        .histogramBuilder(name)
        .setUnit("s")
        .setDescription(what)
        .setExplicitBucketBoundariesAdvice(BOUNDARIES)
        .build();
  }

  private LongCounter counter(String name, String unit, String what) {
    return meter.counterBuilder(name).setUnit(unit).setDescription(what).build();
  }

  @Override
  public Running call(Call call, String tenantId) {
    Span span =
        tracer
            .spanBuilder("wovyr " + call.label())
            .setSpanKind(SpanKind.INTERNAL)
            .setAttribute(CALL, call.label())
            .setAttribute(TENANT, tenantId)
            .startSpan();
    return new TracedCall(call, span);
  }

  @Override
  public Deciding commit(String tenantId) {
    Span span = tracer.spanBuilder("wovyr transaction").setAttribute(TENANT, tenantId).startSpan();
    return new TracedCommit(span);
  }

  @Override
  public void gauges(Supplier<Map<String, Long>> lastSizes, Supplier<Health> health) {
    gauges.open(lastSizes, health);
  }

  @Override
  public void close() {
    gauges.close();
  }

  /** What both have in common: a span that is current until the end, and the time since. */
  private abstract static class Traced {
    final Span span;
    final long begun = System.nanoTime();
    private final Scope scope;
    @Nullable String error;

    @SuppressWarnings("MustBeClosedChecker") // end() closes it: both kinds are closed in the end
    Traced(Span span) {
      this.span = span;
      this.scope = span.makeCurrent();
    }

    void fail(RuntimeException failure) {
      String label = Labels.of(failure);
      error = label;
      // No message, no stack: they are the caller's to log.
      span.setStatus(StatusCode.ERROR, label).setAttribute(ERROR, label);
    }

    double end() {
      scope.close();
      span.end();
      return (System.nanoTime() - begun) / 1e9;
    }
  }

  private final class TracedCall extends Traced implements Running {
    private final Call call;

    TracedCall(Call call, Span span) {
      super(span);
      this.call = call;
    }

    @Override
    public void rows(int count) {
      span.setAttribute(ROWS, (long) count);
      rows.add(count, attributes());
    }

    @Override
    public void conflict(List<Failed> failed) {
      span.setAttribute(OUTCOME, CONFLICT);
      for (Failed one : failed) {
        conflicts.add(1, Attributes.of(GUARD, Labels.of(one.expectation())));
      }
    }

    @Override
    public void failed(RuntimeException failure) {
      fail(failure);
    }

    @SuppressWarnings("NullAway") // every call has its attributes from the beginning
    private Attributes attributes() {
      return ofCall.get(call);
    }

    @Override
    public void close() {
      String failed = error;
      Attributes attributes =
          failed == null ? attributes() : attributes().toBuilder().put(ERROR, failed).build();
      (call.isWrite() ? writes : reads).record(end(), attributes);
    }
  }

  private final class TracedCommit extends Traced implements Deciding {
    private String outcome = "none";

    TracedCommit(Span span) {
      super(span);
    }

    @Override
    public void answered(CommitResult result) {
      if (result instanceof CommitResult.Applied applied) {
        outcome = result.isCommitted() ? "committed" : "joined";
        span.setAttribute(COMMIT, applied.commitId().toString());
      } else {
        outcome = CONFLICT;
      }
      span.setAttribute(OUTCOME, outcome);
    }

    @Override
    public void failed(RuntimeException failure) {
      fail(failure);
    }

    @Override
    public void close() {
      String failed = error;
      if (failed != null) {
        failures.add(1, Attributes.of(ERROR, failed));
      }
      transactions.record(
          end(), failed == null ? Attributes.of(OUTCOME, outcome) : Attributes.of(ERROR, failed));
    }
  }
}
