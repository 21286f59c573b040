/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;

/** Sockets that lead every host to loopback, so that tests can give a server any name. */
public final class ElsewhereSockets extends SocketFactory {
  /** For the driver. */
  public ElsewhereSockets() {}

  @Override
  public Socket createSocket() {
    return new Socket() {
      @Override
      public void connect(SocketAddress endpoint, int timeout) throws IOException {
        int port = ((InetSocketAddress) endpoint).getPort();
        super.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeout);
      }
    };
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort) {
    throw new UnsupportedOperationException();
  }
}
