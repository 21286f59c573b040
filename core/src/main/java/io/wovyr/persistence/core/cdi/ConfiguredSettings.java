/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.core.settings.ContainerSettings;
import io.wovyr.persistence.settings.spi.Setting;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/** The {@code wovyr.*} settings of MicroProfile Config, read once. */
@ApplicationScoped
class ConfiguredSettings {
  @Inject Config config;
  @Inject Plugins plugins;

  private @Nullable Map<String, String> values;
  private @Nullable ContainerSettings container;

  synchronized Map<String, String> values() {
    Map<String, String> found = values;
    if (found == null) {
      found = Map.copyOf(read());
      values = found;
    }
    return found;
  }

  synchronized ContainerSettings container() {
    ContainerSettings found = container;
    if (found == null) {
      found = ContainerSettings.from(values());
      container = found;
    }
    return found;
  }

  private Map<String, String> read() {
    // A setting given only by environment variable has no property name of its own form.
    Set<String> names = new TreeSet<>(plugins.settingNames());
    WovyrPersistence.settings().forEach(setting -> names.add(setting.name()));
    for (String name : config.getPropertyNames()) {
      if (name.startsWith(Setting.PREFIX)) {
        names.add(name);
      }
    }
    Map<String, String> found = new TreeMap<>();
    names.forEach(name -> readInto(found, name));
    return found;
  }

  /** An empty value counts as none; one that refers to nothing must not pass for a default. */
  private void readInto(Map<String, String> found, String name) {
    String value = config.getOptionalValue(name, String.class).orElse(null);
    String raw = value == null ? config.getConfigValue(name).getRawValue() : value;
    if (value == null && raw != null && !raw.isBlank()) {
      throw new InvalidInput(name + " refers to something that is not there");
    }
    if (value != null) {
      found.put(name, value);
    }
  }
}
