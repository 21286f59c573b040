/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Notes the requests of a handle, and lets some of them go wrong. Thread-safe. */
final class Requests implements ExecutionInterceptor {
  /** Something that happens to the next requests of a kind. */
  private record Fault(Class<?> kind, AtomicInteger left, Runnable before, Runnable after) {}

  private static final ExecutionAttribute<List<Fault>> HIT =
      new ExecutionAttribute<>("io.wovyr.test.faults");

  private final List<SdkRequest> sent = new CopyOnWriteArrayList<>();
  private final List<Long> bytes = new CopyOnWriteArrayList<>();
  private final List<Fault> faults = new CopyOnWriteArrayList<>();
  private volatile boolean forgetful;

  /** Lets the next requests of a kind fail before they are sent. */
  void before(Class<? extends SdkRequest> kind, int times, Runnable what) {
    faults.add(new Fault(kind, new AtomicInteger(times), what, () -> {}));
  }

  /** Lets the next requests of a kind fail after they were answered. */
  void after(Class<? extends SdkRequest> kind, int times, Runnable what) {
    faults.add(new Fault(kind, new AtomicInteger(times), () -> {}, what));
  }

  /** Lets the server forget the tokens of requests. */
  void forgetTokens() {
    forgetful = true;
  }

  void clear() {
    sent.clear();
    bytes.clear();
    faults.clear();
  }

  List<SdkRequest> all() {
    return List.copyOf(sent);
  }

  List<String> names() {
    List<String> names = new ArrayList<>();
    sent.forEach(request -> names.add(request.getClass().getSimpleName().replace("Request", "")));
    return names;
  }

  List<TransactWriteItemsRequest> writes() {
    return sent.stream()
        .filter(TransactWriteItemsRequest.class::isInstance)
        .map(TransactWriteItemsRequest.class::cast)
        .toList();
  }

  /** Of all request bodies together. */
  long bytes() {
    return bytes.stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    return forgetful && context.request() instanceof TransactWriteItemsRequest write
        ? write.toBuilder().clientRequestToken(UUID.randomUUID().toString()).build()
        : context.request();
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    sent.add(context.request());
    bytes.add(context.requestBody().flatMap(RequestBody::optionalContentLength).orElse(0L));
    List<Fault> hit =
        faults.stream()
            .filter(fault -> fault.kind().isInstance(context.request()))
            .filter(fault -> fault.left().getAndDecrement() > 0)
            .toList();
    attributes.putAttribute(HIT, hit);
    hit.forEach(fault -> fault.before().run());
  }

  @Override
  public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
    attributes.getAttribute(HIT).forEach(fault -> fault.after().run());
  }
}
