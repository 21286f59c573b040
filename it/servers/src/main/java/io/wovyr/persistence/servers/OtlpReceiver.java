/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPInputStream;

/**
 * Takes what is exported by OTLP over HTTP, and keeps it as it comes: names and attributes are
 * texts in it, whatever is around them.
 */
final class OtlpReceiver implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final HttpServer server;
  private final Map<String, String> received = new ConcurrentHashMap<>();

  private OtlpReceiver(HttpServer server) {
    this.server = server;
  }

  static OtlpReceiver start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    OtlpReceiver receiver = new OtlpReceiver(server);
    server.createContext("/", receiver::take);
    server.start();
    return receiver;
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    if ("gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))) {
      try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(body))) {
        body = plain.readAllBytes();
      }
    }
    received.merge(
        exchange.getRequestURI().getPath(),
        new String(body, StandardCharsets.ISO_8859_1),
        String::concat);
    exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  /** Everything that came to {@code /v1/metrics} or another path. */
  String all(String path) {
    return received.getOrDefault(path, "");
  }

  /** Waits until each of these texts came. */
  void await(String path, String... texts) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    for (String text : texts) {
      while (!all(path).contains(text)) {
        if (System.nanoTime() - until > 0) {
          throw new AssertionError(
              "%s did not come to %s; came: %s".formatted(text, path, received.keySet()));
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
