/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a client and a PostgreSQL server, passes everything on and counts what the client
 * sends, message by message. For plain connections of one client at a time. Thread-safe.
 */
final class CountingWire implements Closeable {
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;

  private final InetSocketAddress server;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicLong trips = new AtomicLong();
  private final AtomicLong statements = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  CountingWire(InetSocketAddress server) throws IOException {
    this.server = server;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** What was sent so far. */
  WireCount total() {
    return new WireCount(trips.get(), statements.get(), bytes.get());
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "counting-wire");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket upstream = new Socket();
        sockets.add(client);
        sockets.add(upstream);
        upstream.connect(server);
        client.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        Link link = new Link(client, upstream);
        start(link::requests);
        start(link::replies);
      } catch (IOException e) {
        // Closed, or a client that was gone at once: the next call shows it.
      }
    }
  }

  /** One connection. */
  private final class Link {
    private final Socket client;
    private final Socket upstream;
    private volatile boolean serverSpokeLast = true;

    Link(Socket client, Socket upstream) {
      this.client = client;
      this.upstream = upstream;
    }

    void requests() {
      try (client;
          upstream) {
        DataInputStream in = new DataInputStream(client.getInputStream());
        OutputStream out = upstream.getOutputStream();
        startUp(in, out);
        while (true) {
          int type = in.read();
          if (type < 0) {
            return;
          }
          counted(type);
          pass(in, out, type);
        }
      } catch (IOException e) {
        // The connection is over.
      }
    }

    private void startUp(DataInputStream in, OutputStream out) throws IOException {
      int code;
      do {
        byte[] body = body(in);
        code = java.nio.ByteBuffer.wrap(body).getInt();
        write(out, -1, body);
      } while (code == SSL_REQUEST || code == GSS_REQUEST);
    }

    /**
     * Executions and simple queries are statements; whoever speaks after the server begins a trip.
     */
    private void counted(int type) {
      if (type == 'E' || type == 'Q') {
        statements.incrementAndGet();
      }
      if (serverSpokeLast) {
        serverSpokeLast = false;
        trips.incrementAndGet();
      }
    }

    private void pass(DataInputStream in, OutputStream out, int type) throws IOException {
      write(out, type, body(in));
    }

    private byte[] body(DataInputStream in) throws IOException {
      int length = in.readInt() - Integer.BYTES;
      byte[] body = in.readNBytes(length);
      if (body.length < length) {
        throw new EOFException();
      }
      return body;
    }

    private void write(OutputStream out, int type, byte[] body) throws IOException {
      int head = type < 0 ? Integer.BYTES : 1 + Integer.BYTES;
      java.nio.ByteBuffer message = java.nio.ByteBuffer.allocate(head + body.length);
      if (type >= 0) {
        message.put((byte) type);
      }
      message.putInt(Integer.BYTES + body.length).put(body);
      bytes.addAndGet(message.capacity());
      out.write(message.array());
      out.flush();
    }

    void replies() {
      byte[] buffer = new byte[8_192];
      try (client;
          upstream) {
        InputStream in = upstream.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          serverSpokeLast = true;
          bytes.addAndGet(read);
          out.write(buffer, 0, read);
        }
      } catch (IOException e) {
        // The connection is over.
      }
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
