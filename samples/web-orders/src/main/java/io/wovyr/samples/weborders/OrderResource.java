/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.weborders;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** Orders of the caller's tenant, as lines of text. */
@Path("orders")
@RequestScoped
@Produces(MediaType.TEXT_PLAIN)
public class OrderResource {
  @Inject Orders orders;

  /** For the container. */
  public OrderResource() {}

  /** Places an order; answers the id of its execution. */
  @POST
  public String place(
      @FormParam("number") String number, @FormParam("recipient") String recipient) {
    return orders.place(number, recipient).toString();
  }

  /** One order: number, recipient and status. */
  @GET
  @Path("{number}")
  public String show(@PathParam("number") String number) {
    return orders
        .find(number)
        .map(order -> order.number() + " " + order.recipient() + " " + order.status())
        .orElseThrow(NotFoundException::new);
  }
}
