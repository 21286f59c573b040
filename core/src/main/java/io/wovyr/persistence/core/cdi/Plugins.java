/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.settings.spi.Setting;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The providers that are there: beans, and services of jars that are on the class path without
 * being bean archives (a shared library, a module of another deployment). A bean wins over a
 * service of its name.
 */
@ApplicationScoped
class Plugins {
  @Inject @Any Instance<StorageProvider> storageBeans;
  @Inject @Any Instance<SealingProvider> sealingBeans;
  @Inject @Any Instance<SealingFactory> sealingFactoryBeans;

  private @Nullable SortedMap<String, StorageProvider> storage;
  private @Nullable SortedMap<String, SealingProvider> sealing;
  private @Nullable SortedMap<String, SealingFactory> sealingFactories;

  /** By name. */
  synchronized SortedMap<String, StorageProvider> storage() {
    SortedMap<String, StorageProvider> found = storage;
    if (found == null) {
      found =
          Choice.byName("storage provider", storageBeans.stream().toList(), StorageProvider::name);
      addServices(found, StorageProvider.class, StorageProvider::name);
      storage = found;
    }
    return found;
  }

  /** Sealing providers that are beans, by name. */
  synchronized SortedMap<String, SealingProvider> sealing() {
    SortedMap<String, SealingProvider> found = sealing;
    if (found == null) {
      found =
          Choice.byName("sealing provider", sealingBeans.stream().toList(), SealingProvider::name);
      sealing = found;
    }
    return found;
  }

  /** What makes sealing providers from settings, beans and services, by name. */
  synchronized SortedMap<String, SealingFactory> sealingFactories() {
    SortedMap<String, SealingFactory> found = sealingFactories;
    if (found == null) {
      found =
          Choice.byName(
              "sealing provider", sealingFactoryBeans.stream().toList(), SealingFactory::name);
      addServices(found, SealingFactory.class, SealingFactory::name);
      sealingFactories = found;
    }
    return found;
  }

  /** Of beans and of services. */
  SortedSet<String> sealingNames() {
    SortedSet<String> names = new TreeSet<>(sealing().keySet());
    names.addAll(sealingFactories().keySet());
    return names;
  }

  /** The complete names of what they can be told. */
  Set<String> settingNames() {
    List<Setting> all = new ArrayList<>();
    storage().values().forEach(provider -> all.addAll(provider.settings()));
    sealingFactories().values().forEach(factory -> all.addAll(factory.settings()));
    return all.stream().map(Setting::name).collect(Collectors.toSet());
  }

  private static <T> void addServices(
      SortedMap<String, T> found, Class<T> type, Function<T, String> nameOf) {
    // That of the application, which sees its shared libraries and the modules it depends on.
    ServiceLoader.load(type).forEach(one -> found.putIfAbsent(nameOf.apply(one), one));
  }
}
