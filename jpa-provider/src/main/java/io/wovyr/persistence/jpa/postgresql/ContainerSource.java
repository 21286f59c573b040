/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.sql.DataSource;

/**
 * A DataSource of the container, by its name in JNDI. Who connects to what is the container's to
 * say. Immutable.
 *
 * @param role what the connections are for, as named in messages
 * @param setting the whole name of the setting that names it
 * @param name in JNDI
 */
record ContainerSource(String role, String setting, String name) implements Access {
  /**
   * Looks it up.
   *
   * @throws InvalidInput when there is no such DataSource, naming setting and name
   */
  @SuppressWarnings("BanJNDI") // Names of the container only: no name leads to another place.
  DataSource lookUp() {
    if (name.matches("(?i)(?!java:)[a-z][a-z0-9+.-]*:.*")) {
      throw new InvalidInput(
          "%s must be a name in the JNDI of the container, such as java:jboss/datasources/Wovyr or jdbc/wovyr, not a URL: %s"
              .formatted(setting, name));
    }
    Object found;
    try {
      found = new InitialContext().lookup(name);
    } catch (NoInitialContextException e) {
      throw new InvalidInput(
          "%s is '%s', and there is no JNDI here to look it up in: in a container it names a DataSource; elsewhere give wovyr.storage.url"
              .formatted(setting, name));
    } catch (NameNotFoundException e) {
      throw new InvalidInput(
          "%s is '%s', and nothing is bound to this name in JNDI: check the name, and that the container has started its DataSource"
              .formatted(setting, name));
    } catch (NamingException e) {
      throw new InvalidInput(
          "%s is '%s', and looking it up in JNDI failed: %s".formatted(setting, name, e));
    }
    if (found instanceof DataSource dataSource) {
      return dataSource;
    }
    throw new InvalidInput(
        "%s is '%s', and what is bound to this name is no DataSource: %s"
            .formatted(setting, name, found == null ? "nothing" : found.getClass().getName()));
  }

  @Override
  public String place() {
    return "behind the datasource " + name;
  }

  @Override
  public boolean hasNoPassword() {
    return false;
  }

  @Override
  public boolean hasNoUser() {
    return false;
  }

  @Override
  public String toCheck() {
    return "the datasource " + name + " of the container (" + setting + ")";
  }

  @Override
  public String limit() {
    return "the size of the pool of datasource " + name;
  }
}
