/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every fault, on a server that answers each line with the same line. */
final class FaultyWireTest {
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private ServerSocket server;
  private FaultyWire wire;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread acceptor = new Thread(this::accept);
    acceptor.setDaemon(true);
    acceptor.start();
    wire = FaultyWire.to("127.0.0.1", server.getLocalPort());
  }

  @AfterEach
  void stop() throws IOException {
    wire.close();
    server.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        Thread echo = new Thread(() -> echo(client));
        echo.setDaemon(true);
        echo.start();
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private void echo(Socket client) {
    try (client) {
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        heard.add(line);
        client.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  /** A client; each request waits at most two seconds for its answer. */
  private final class Client implements AutoCloseable {
    private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), wire.port());

    Client() throws IOException {
      socket.setSoTimeout(2_000);
    }

    String ask(String line) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      StringBuilder answer = new StringBuilder();
      while (true) {
        int next = socket.getInputStream().read();
        if (next < 0) {
          throw new IOException("closed after '" + answer + "'");
        }
        if (next == '\n') {
          return answer.toString();
        }
        answer.append((char) next);
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private String heard() throws InterruptedException {
    return String.valueOf(heard.poll(60, TimeUnit.SECONDS));
  }

  @Test
  void passesEverythingOnAndCountsRoundTrips() throws Exception {
    try (Client client = new Client()) {
      for (int i = 1; i <= 5; i++) {
        assertEquals("line " + i, client.ask("line " + i));
        assertEquals(i, wire.roundTrips());
      }
    }
  }

  @Test
  void whatBreaksBeforeItsAnswerIsHeardByTheServerAndWhatBreaksEarlierIsNot() throws Exception {
    for (WireFault fault :
        List.of(
            WireFault.BEFORE_REQUEST,
            WireFault.DURING_REQUEST,
            WireFault.BEFORE_REPLY,
            WireFault.DURING_REPLY)) {
      try (Client client = new Client()) {
        client.ask("first");
        assertEquals("first", heard());
        wire.failNext(fault);
        assertThrows(IOException.class, () -> client.ask("second"), fault.name());
      }
      try (Client client = new Client()) {
        client.ask("third");
        boolean served = fault == WireFault.BEFORE_REPLY || fault == WireFault.DURING_REPLY;
        if (served) {
          assertEquals("second", heard(), fault.name());
        }
        assertEquals("third", heard(), fault.name());
      }
    }
    assertEquals(4, wire.struck());
  }

  @Test
  void anAnswerMayGetThroughOnAConnectionThatIsBrokenAfterwards() throws Exception {
    wire.failNext(WireFault.AFTER_REPLY);
    try (Client client = new Client()) {
      assertEquals("first", client.ask("first"));
      assertThrows(IOException.class, () -> client.ask("second"));
    }
    assertEquals("first", heard());
    assertEquals(List.of(), List.copyOf(heard));
  }

  @Test
  void whatIsHeldLandsLateThoughItsClientIsGone() throws Exception {
    wire.failNext(WireFault.HELD);
    try (Client client = new Client()) {
      assertThrows(SocketTimeoutException.class, () -> client.ask("late"));
    }
    assertEquals(List.of(), List.copyOf(heard));
    wire.letGo();
    assertEquals("late", heard());
  }

  @Test
  void whatIsSwallowedComesWhenItIsOver() throws Exception {
    wire.swallow(true);
    try (Client client = new Client()) {
      assertThrows(SocketTimeoutException.class, () -> client.ask("one"));
      assertEquals(List.of(), List.copyOf(heard));
      wire.swallow(false);
      assertEquals("one", heard());
    }
  }

  @Test
  void refusesAndResetsConnections() throws Exception {
    try (Client client = new Client()) {
      client.ask("one");
      wire.reset();
      assertThrows(IOException.class, () -> client.ask("two"));
    }
    wire.refuse(true);
    assertThrows(
        IOException.class,
        () -> {
          try (Client client = new Client()) {
            client.ask("three");
          }
        });
    wire.refuse(false);
    try (Client client = new Client()) {
      assertEquals("four", client.ask("four"));
    }
  }

  @Test
  void delaysEveryPiece() throws Exception {
    wire.delay(Duration.ofMillis(100));
    try (Client client = new Client()) {
      long begun = System.nanoTime();
      client.ask("one");
      assertEquals(true, System.nanoTime() - begun >= 200_000_000L, "there and back");
    }
  }
}
