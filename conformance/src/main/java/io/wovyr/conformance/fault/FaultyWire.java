/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and a server on TCP, knows nothing of their protocol, and breaks what it
 * is told to: single requests ({@link #failNext}), or everything ({@link #swallow}, {@link
 * #refuse}, {@link #delay}, {@link #reset}). Counts round trips. For protocols in which a client
 * waits for the answer before it asks again. Thread-safe.
 *
 * @since 0.1
 */
public final class FaultyWire implements AutoCloseable {
  private static final long POLL_NANOS = 1_000_000;

  private final InetSocketAddress server;
  private final ServerSocket listener;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final Queue<WireFault> faults = new ConcurrentLinkedQueue<>();
  private final AtomicLong roundTrips = new AtomicLong();
  private final AtomicLong struck = new AtomicLong();
  private volatile boolean swallowing;
  private volatile boolean refusing;
  private volatile boolean holding;
  private volatile long delayNanos;

  private FaultyWire(InetSocketAddress server) throws IOException {
    this.server = server;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start("accept", this::accept);
  }

  /** A wire to this server; its clients connect to {@link #port()} on loopback. */
  public static FaultyWire to(String host, int port) {
    try {
      return new FaultyWire(new InetSocketAddress(host, port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where clients connect. */
  public int port() {
    return listener.getLocalPort();
  }

  /** How often a client spoke after the server did, over all connections. */
  public long roundTrips() {
    return roundTrips.get();
  }

  /** How many faults of {@link #failNext} have struck. */
  public long struck() {
    return struck.get();
  }

  /** The next requests fail so, one each, on whatever connection they come. */
  public FaultyWire failNext(WireFault... next) {
    faults.addAll(Arrays.asList(next));
    holding |= Arrays.asList(next).contains(WireFault.HELD);
    return this;
  }

  /** Lets requests that are {@link WireFault#HELD} get through now, late, whoever still listens. */
  public void letGo() {
    holding = false;
  }

  /** From now on nothing gets through in either direction, and nobody is told. */
  public void swallow(boolean on) {
    swallowing = on;
  }

  /** From now on new connections are refused. */
  public void refuse(boolean on) {
    refusing = on;
  }

  /** From now on every piece takes so much longer. */
  public void delay(Duration each) {
    delayNanos = each.toNanos();
  }

  /** Resets all connections there are. */
  public void reset() {
    links.forEach(Link::reset);
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    swallowing = false;
    holding = false;
    reset();
  }

  private static void start(String what, Runnable body) {
    Thread thread = new Thread(body, "wovyr-faulty-wire-" + what);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (refusing) {
          reset(client);
        } else {
          connect(client);
        }
      } catch (IOException e) {
        // The listener was closed, or this one client is gone.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    Socket upstream = new Socket();
    try {
      upstream.connect(server);
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
    } catch (IOException e) {
      reset(client);
      upstream.close();
      return;
    }
    Link link = new Link(client, upstream);
    links.add(link);
    start("request", link::requests);
    start("reply", link::replies);
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It is gone already.
    }
  }

  /** One connection and the fault of its present request. */
  private final class Link {
    private final Socket client;
    private final Socket upstream;
    private boolean serverSpokeLast = true;
    private volatile @Nullable WireFault fault;
    private volatile boolean broken;

    Link(Socket client, Socket upstream) {
      this.client = client;
      this.upstream = upstream;
    }

    void reset() {
      broken = true;
      FaultyWire.reset(client);
      FaultyWire.reset(upstream);
      links.remove(this);
    }

    void requests() {
      byte[] buffer = new byte[64 << 10];
      try {
        for (int length = client.getInputStream().read(buffer);
            length >= 0;
            length = client.getInputStream().read(buffer)) {
          pause();
          if (!request(buffer, length)) {
            reset();
            return;
          }
        }
        upstream.shutdownOutput();
      } catch (IOException e) {
        clientLeft();
      }
    }

    /** What was held still lands, although nobody listens any more. */
    private void clientLeft() {
      if (fault != WireFault.HELD) {
        reset();
        return;
      }
      try {
        upstream.shutdownOutput();
      } catch (IOException e) {
        reset();
      }
    }

    /** Passes a piece of a request on; false to break the connection. */
    private boolean request(byte[] buffer, int length) throws IOException {
      @Nullable WireFault now = faultOfRequest();
      if (now == WireFault.BEFORE_REQUEST) {
        return false;
      }
      int passed = now == WireFault.DURING_REQUEST ? length / 2 : length;
      while (now == WireFault.HELD && holding && !broken) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      upstream.getOutputStream().write(buffer, 0, passed);
      upstream.getOutputStream().flush();
      return passed == length;
    }

    private synchronized @Nullable WireFault faultOfRequest() {
      if (serverSpokeLast) {
        serverSpokeLast = false;
        roundTrips.incrementAndGet();
        if (fault == WireFault.AFTER_REPLY) {
          return WireFault.BEFORE_REQUEST;
        }
        fault = faults.poll();
        if (fault != null && fault != WireFault.NONE) {
          struck.incrementAndGet();
        }
      }
      return fault;
    }

    void replies() {
      byte[] buffer = new byte[64 << 10];
      try {
        for (int length = upstream.getInputStream().read(buffer);
            length >= 0;
            length = upstream.getInputStream().read(buffer)) {
          pause();
          if (!reply(buffer, length)) {
            reset();
            return;
          }
        }
        client.shutdownOutput();
      } catch (IOException e) {
        reset();
      }
    }

    private synchronized boolean reply(byte[] buffer, int length) throws IOException {
      serverSpokeLast = true;
      if (fault == WireFault.BEFORE_REPLY) {
        return false;
      }
      if (fault == WireFault.HELD && client.isClosed()) {
        return true;
      }
      int passed = fault == WireFault.DURING_REPLY ? 1 : length;
      try {
        client.getOutputStream().write(buffer, 0, passed);
        client.getOutputStream().flush();
      } catch (IOException e) {
        return fault == WireFault.HELD;
      }
      return passed == length;
    }

    private void pause() {
      long until = System.nanoTime() + delayNanos;
      while (!broken && (swallowing || System.nanoTime() - until < 0)) {
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }
}
