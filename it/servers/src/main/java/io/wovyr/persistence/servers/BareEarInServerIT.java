/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The EAR as it was built, and with an application that is but a jar. On WildFly without a WAR; on
 * Open Liberty, which deploys no EAR without a module (CWWKZ0124E), with an empty one.
 */
@ExtendWith(ArquillianExtension.class)
class BareEarInServerIT {
  @Deployment(testable = false)
  static WebArchive startsTheServer() {
    return Deployments.empty();
  }

  @Test
  @DisplayName("C112: the EAR deploys as it was built")
  void theEarDeploysAsItWasBuilt() throws Exception {
    try (DeployedByHand deployed = DeployedByHand.deploy(bare(), "")) {
      assertThat(deployed).isNotNull();
    }
  }

  @Test
  void anApplicationMayBeAJarInTheEar() throws Exception {
    EnterpriseArchive ear =
        bare()
            .addAsLibrary(
                ShrinkWrap.create(JavaArchive.class, "at-start.jar")
                    .addClass(AtStart.class)
                    .addAsManifestResource(EmptyAsset.INSTANCE, "beans.xml"));
    assertThat(created()).isEqualTo("0");
    try (DeployedByHand unused = DeployedByHand.deploy(ear, "")) {
      assertThat(created()).isEqualTo("1");
    }
  }

  private static EnterpriseArchive bare() {
    boolean liberty = Surroundings.property("wovyr.test.server").equals("liberty");
    return liberty ? Deployments.ear().addAsModule(Deployments.empty()) : Deployments.ear();
  }

  private static String created() throws SQLException {
    return Surroundings.database()
        .query("SELECT count(*) FROM execution WHERE tenant_id = '" + AtStart.TENANT + "'")
        .get(0);
  }
}
