/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The EAR is deployed again and again into a server that is not restarted. */
@ExtendWith(ArquillianExtension.class)
class RedeployIT {
  private static final int REDEPLOYS = Integer.getInteger("wovyr.test.redeploys", 3);
  private static final int REQUESTS = 64;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern WATCHED =
      Pattern.compile(
          "loaders=(\\d+) threads=\\[(.*)] of=(\\d+) metaspaceKb=(\\d+) residentKb=(\\d+)");

  /**
   * HTTP/1.1: Open Liberty keeps a web application for as long as a connection lasts that was
   * changed to HTTP/2 by a request to it, and this client would offer that.
   */
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @SuppressWarnings("NullAway.Init") // Set by Arquillian.
  @ArquillianResource
  Deployer deployer;

  @Deployment(name = "watch", order = 1, testable = false)
  static WebArchive watch() {
    return ShrinkWrap.create(WebArchive.class, "watch.war")
        .addClasses(WatchServlet.class, Watched.class);
  }

  @Deployment(name = "ear", order = 2, managed = false, testable = false)
  static EnterpriseArchive ear() {
    return Deployments.of(NativeServlet.class, Watched.class);
  }

  @Test
  @DisplayName("C112: native libraries load again, and undeployed copies of the EAR do not pile up")
  void copiesDoNotPileUp() throws Exception {
    beginAllThreads();
    Optional<Left> first = Optional.empty();
    for (int i = 1; i <= REDEPLOYS; i++) {
      deployer.deploy("ear");
      try {
        assertThat(get("/tests/native")).as("deployment %d", i).isEqualTo("16000");
      } finally {
        deployer.undeploy("ear");
      }
      first = first.isPresent() ? first : Optional.of(look());
    }
    Left one = first.orElseThrow();
    Left all = awaitNoneLeft();
    System.out.printf(
        "%s: undeployed once: %s; %d times: %s%n",
        Surroundings.property("wovyr.test.server"), one, REDEPLOYS, all);
    // A copy of the EAR that stays takes more than 100 MB, each time.
    assertThat(all.residentKb() - one.residentKb())
        .as("KB more than after the first")
        .isLessThan(100_000L * (REDEPLOYS - 1));
  }

  /**
   * Waits until class loaders and threads of the EAR are gone. It may take more than a minute: the
   * JVM keeps its thread that watches processes (SQLite's driver asks {@code uname}) so long, and
   * that remembers who needed it first.
   */
  private Left awaitNoneLeft() throws IOException, InterruptedException {
    get("/watch/watch?do=link-a-record");
    get("/watch/watch?do=fill-the-log");
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Left left = look();
      if (left.loaders() == 0 && left.threads().isEmpty()) {
        return left;
      }
      assertThat(System.nanoTime()).as(left.toString()).isLessThan(until);
    }
  }

  /**
   * A thread of WildFly's keeps the first request it served in its stack (JBoss Threads, {@code
   * EnhancedQueueExecutor}), and with it the application: here that of another one.
   */
  private void beginAllThreads() {
    HttpRequest request = HttpRequest.newBuilder(uri("/watch/watch?do=hold-a-thread")).build();
    List<CompletableFuture<HttpResponse<Void>>> requests =
        IntStream.range(0, REQUESTS)
            .mapToObj(i -> http.sendAsync(request, HttpResponse.BodyHandlers.discarding()))
            .toList();
    requests.forEach(CompletableFuture::join);
  }

  private Left look() throws IOException, InterruptedException {
    String text = get("/watch/watch");
    Matcher watched = WATCHED.matcher(text);
    assertThat(watched.matches()).as(text).isTrue();
    return new Left(
        Long.parseLong(watched.group(1)),
        watched.group(2),
        Long.parseLong(watched.group(3)),
        Long.parseLong(watched.group(4)),
        Long.parseLong(watched.group(5)));
  }

  /** What {@link WatchServlet} tells. */
  private record Left(
      long loaders, String threads, long allThreads, long metaspaceKb, long residentKb) {}

  private String get(String path) throws IOException, InterruptedException {
    HttpResponse<String> response =
        http.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  private static URI uri(String path) {
    return URI.create("http://127.0.0.1:" + Surroundings.property("wovyr.test.http-port") + path);
  }
}
