/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Asks the server of the tests by HTTP, as a client outside of it. Immutable. */
final class ServerHttp {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final String base;
  private final Map<String, String> headers;

  private ServerHttp(String base, Map<String, String> headers) {
    this.base = base;
    this.headers = new TreeMap<>(headers);
  }

  /** An application's root, as nobody. */
  static ServerHttp at(String path) {
    return onPort(Surroundings.property("wovyr.test.http-port"), path);
  }

  static ServerHttp onPort(String port, String path) {
    return new ServerHttp("http://127.0.0.1:" + port + path, Map.of());
  }

  /** As a user of the server, whose password is the page's. */
  ServerHttp as(String user) {
    return as(user, user + "-password");
  }

  ServerHttp as(String user, String password) {
    byte[] pair = (user + ":" + password).getBytes(UTF_8);
    return with("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair));
  }

  ServerHttp with(String header, String value) {
    Map<String, String> more = new TreeMap<>(headers);
    more.put(header, value);
    return new ServerHttp(base, more);
  }

  HttpResponse<String> get(String path) {
    return send(request(path).GET().build());
  }

  /** What was answered. */
  record Answer(int statusCode, String body) {}

  /**
   * As {@link #get}, of a host that the server is to be: the JDK's client always asks for the one
   * it connects to. In HTTP/1.0, whose answers end with their connection.
   */
  Answer get(String host, String path) {
    URI uri = URI.create(base + path);
    StringBuilder request =
        new StringBuilder("GET " + uri.getRawPath())
            .append(uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery())
            .append(" HTTP/1.0\r\nHost: " + host + "\r\n");
    headers.forEach((name, value) -> request.append(name + ": " + value + "\r\n"));
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(request.append("\r\n").toString().getBytes(UTF_8));
      String all = new String(socket.getInputStream().readAllBytes(), UTF_8);
      int end = all.indexOf("\r\n\r\n");
      return new Answer(
          Integer.parseInt(all.substring(all.indexOf(' ') + 1, all.indexOf(' ') + 4)),
          all.substring(end + 4));
    } catch (IOException e) {
      throw new IllegalStateException("no answer from " + uri, e);
    }
  }

  HttpResponse<String> post(String path, Map<String, String> form) {
    String body =
        form.entrySet().stream()
            .map(field -> field.getKey() + "=" + encoded(field.getValue()))
            .collect(Collectors.joining("&"));
    return send(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, UTF_8);
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path)).timeout(PATIENCE);
    headers.forEach(request::header);
    return request;
  }

  private static HttpResponse<String> send(HttpRequest request) {
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException("no answer from " + request.uri(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
