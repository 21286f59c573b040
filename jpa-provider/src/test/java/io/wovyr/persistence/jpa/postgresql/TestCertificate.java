/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;

/** Certificates for servers of tests. */
public final class TestCertificate {
  private static final String PASSWORD = "changeit";

  private TestCertificate() {}

  /**
   * A key and a certificate signed by itself, in the files a server and its clients read: {@code
   * name.key} and {@code name.crt}.
   *
   * @param host that it names
   * @return the certificate
   */
  public static Path make(Path directory, String name, String host) throws Exception {
    Path store = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host,
                "-validity",
                "30",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException("keytool failed");
    }
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    Key key = keys.getKey(name, PASSWORD.toCharArray());
    write(directory.resolve(name + ".key"), "PRIVATE KEY", key.getEncoded());
    return write(
        directory.resolve(name + ".crt"), "CERTIFICATE", keys.getCertificate(name).getEncoded());
  }

  private static Path write(Path file, String what, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Path written =
        Files.writeString(
            file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
    return Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-------"));
  }
}
