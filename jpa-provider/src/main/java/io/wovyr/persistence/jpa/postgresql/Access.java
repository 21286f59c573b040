/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

/** How the connections of one role are had, as far as messages tell. Immutable. */
sealed interface Access permits Login, ContainerSource {
  /** What the connections are for, as named in messages. */
  String role();

  /** Where they lead, for messages. */
  String place();

  /** Whoever connects was given no password, as far as we know. */
  boolean hasNoPassword();

  /** Whoever connects was not named, as far as we know. */
  boolean hasNoUser();

  /** What to look at when the server cannot be reached, for messages. */
  String toCheck();

  /**
   * The command that migrates a store there, for messages: it names one server and its database,
   * and of a pool or several servers nothing.
   *
   * @param place as {@link #place()} has it
   */
  static String migrateAt(String place) {
    boolean oneServer = place.matches("[^\\s,]+");
    return "'wovyr migrate up" + (oneServer ? " --url jdbc:postgresql://" + place : "") + "'";
  }

  /** What says how many connections there may be, for messages. */
  String limit();
}
