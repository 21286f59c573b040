/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.samples.ordersaga.sabotage.Sabotage;
import java.nio.file.Path;

/** The main job as a process of its own, for what cannot be tried inside the tests' process. */
final class DemoProcess {
  private DemoProcess() {}

  /** Arguments: {@code name=value}, or a name alone for what is on or off. */
  public static void main(String[] arguments) {
    DemoOptions.Builder options = DemoOptions.builder();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      String value = argument.substring(equals + 1);
      switch (equals < 0 ? argument : argument.substring(0, equals)) {
        case "orders" -> options.orders(Path.of(value));
        case "directory" -> options.directory(Path.of(value));
        case "workers" -> options.workers(Integer.parseInt(value));
        case "kills" -> options.kills(Integer.parseInt(value));
        case "pauses" -> options.pauses(Integer.parseInt(value));
        case "seed" -> options.seed(Long.parseLong(value));
        case "sabotage" -> options.sabotage(Sabotage.named(value).orElseThrow());
        case "resume" -> options.resume(true);
        case "fresh" -> options.fresh(true);
        case "json" -> options.json(true);
        case "embedded" -> options.store(new DemoStore.Embedded());
        default -> throw new IllegalArgumentException(argument);
      }
    }
    System.exit(Demo.run(options.build(), System.out, System.err));
  }
}
