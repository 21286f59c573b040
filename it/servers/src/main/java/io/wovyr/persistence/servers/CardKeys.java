/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import jakarta.enterprise.context.ApplicationScoped;

/** Any service that a converter of the application is given. */
@ApplicationScoped
public class CardKeys {
  String hide(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  String show(String text) {
    return hide(text);
  }
}
