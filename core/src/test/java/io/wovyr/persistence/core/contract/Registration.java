/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Which contracts a test of the repositories over a store runs. Each names them one by one, so that
 * a report says over which store a contract was broken: this tells when one was forgotten.
 */
public final class Registration {
  private Registration() {}

  /** Fails unless {@code test} has a nested class for every contract that a store can meet. */
  public static void isComplete(Class<?> test) {
    Set<Class<?>> run =
        Stream.of(test.getDeclaredClasses())
            .map(Class::getSuperclass)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    Set<Class<?>> wanted = all();
    // A store has a clock of its own or it has none.
    wanted.remove(
        run.contains(StoreClockContract.class)
            ? NoStoreClockContract.class
            : StoreClockContract.class);
    assertThat(run).as(test.getSimpleName()).containsAll(wanted);
  }

  private static Set<Class<?>> all() {
    Set<Class<?>> found =
        ReflectionSupport.findAllClassesInPackage(
                Registration.class.getPackageName(),
                type ->
                    RepositoryContract.class.isAssignableFrom(type)
                        && type != RepositoryContract.class
                        && Modifier.isAbstract(type.getModifiers()),
                name -> true)
            .stream()
            .collect(Collectors.toSet());
    assertThat(found).as("the contracts of this package").hasSizeGreaterThan(30);
    return found;
  }
}
