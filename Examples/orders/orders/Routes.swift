#if Postgres
  import Alter
  import Hummingbird
  import OrdersCore

  /// The routes of the service.
  func router(_ stores: Stores<Shop>, _ metrics: PlainMetrics) -> Router<BasicRequestContext> {
    let router = Router()
    router.post("/shops/{shop}/orders/{number}") { request, context in
      let (shop, number) = try (context.parameters.require("shop"), context.parameters.require("number"))
      let text = try await String(buffer: request.body.collect(upTo: 10_000))
      return try await make(.place(Order(number, text)), in: stores[shop])
    }
    router.post("/shops/{shop}/orders/{number}/payment") { request, context in
      let (shop, number) = try (context.parameters.require("shop"), context.parameters.require("number"))
      let body = try await String(buffer: request.body.collect(upTo: 100))
      guard let cents = Int(body), cents > 0 else { return HTTPResponse.Status.badRequest }
      return try await make(.payment(number, .pay(cents: cents)), in: stores[shop])
    }
    router.get("/shops/{shop}/orders") { _, context in
      let shop = try await stores[context.parameters.require("shop")]
      return shop.state.orders.map { "\($0.id)\t\($0.receipt ?? "-")\t\($0.text)\n" }.joined()
    }
    router.get("/metrics") { _, _ in metrics.text }
    return router
  }

  /// Makes a change, and answers when the journal has it. A client that gets no answer, or another one, sends the same request again: the state
  /// refuses a second order of the same number, and a second payment of an order.
  private func make(_ change: Shop.Change, in shop: Store<Shop>) async throws -> HTTPResponse.Status {
    do {
      try await shop.change(change).durable()
      return .created
    } catch ChangeError<Refusal>.refused, CommitError<Refusal>.dropped {
      return .conflict
    } catch is ChangeError<Refusal>, is CommitError<Refusal> {
      return .serviceUnavailable
    }
  }
#endif
