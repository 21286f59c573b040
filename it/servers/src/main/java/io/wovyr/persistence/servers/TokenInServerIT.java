/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whoever asks has a token of MicroProfile JWT, and their tenant is a claim in it. */
@ExtendWith(ArquillianExtension.class)
class TokenInServerIT {
  private static final TokenIssuer ISSUER = TokenIssuer.named("https://issuer.example.com");

  @Deployment(testable = false)
  static EnterpriseArchive ear() {
    return Deployments.secured(
        "MP-JWT",
        "wovyr.tenant.resolver=claim\n"
            + "wovyr.role.reader=clerk, viewer\n"
            + "wovyr.role.writer=clerk\n"
            + ISSUER.settings(),
        AskedServlet.class,
        EveryRepository.class);
  }

  @Test
  void theTenantIsTheClaimAndTheRolesAreTheGroups() {
    assertThat(ok(asked(token("carla", "clerk", "acme")))).isEqualTo("acme carla [READER, WRITER]");
    assertThat(ok(asked(token("vic", "viewer", "globex")))).isEqualTo("globex vic [READER]");
    assertThat(ok(asked(token("nora", "gardener", "acme")))).isEqualTo("acme nora []");
  }

  @Test
  void aTokenThatNamesNoTenantOrABadOneIsRefused() {
    HttpResponse<String> none = asked(ISSUER.token("carla", "clerk", ""));
    assertThat(none.statusCode()).as(none.body()).isEqualTo(403);
    assertThat(none.body()).contains("names no tenant");
    for (String bad : List.of("$system", "x".repeat(300))) {
      HttpResponse<String> refused = asked(token("carla", "clerk", bad));
      assertThat(refused.statusCode()).as(bad).isEqualTo(403);
      assertThat(refused.body()).doesNotContain(bad);
    }
  }

  @Test
  void aTokenThatTheServerDoesNotTrustIsNobodys() {
    TokenIssuer other = TokenIssuer.named("https://issuer.example.com");

    assertThat(asked(other.token("carla", "clerk", claim("acme"))).statusCode()).isEqualTo(401);
    assertThat(ServerHttp.at("/tests").get("/asked").statusCode()).isEqualTo(401);
  }

  private static String token(String user, String group, String tenant) {
    return ISSUER.token(user, group, claim(tenant));
  }

  private static String claim(String tenant) {
    return ",\"tenant_id\":\"" + tenant + "\"";
  }

  private static HttpResponse<String> asked(String token) {
    return ServerHttp.at("/tests").with("Authorization", "Bearer " + token).get("/asked");
  }

  private static String ok(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }
}
