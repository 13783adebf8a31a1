import Alter
import AlterCore
import AlterTesting
import Testing

// The forms in which a feedback is written: effect and condition side by side, effects that fail, effects with a smaller environment.

/// The dependencies of an app, of which each feedback takes a part.
private struct App: Sendable {
  let service = Service()
  let printer = Printer()
}

private struct Printer: Sendable {
  let name = "printer"
}

private enum Problem: Error, Equatable, Sendable { case jammed, offline }

@Suite("A feedback on a condition")
struct ConditionTests {
  private let store = Store(Desk())
  private let service = Service()
  private typealias Asking = AsyncResult<Service, Desk.Change, Never>

  private static let asking = Asking { service in .success(.done(await service.ask("begin"))) }

  @Test("starts its effect when the condition becomes true, leaves it alone while it is, and cancels it when it becomes false")
  func starts() async throws {
    let loop = store.run([Feedback("begin", Self.asking, when: { $0.isWanted && $0.count < 10 })], in: service)
    try store.change(.count(1))
    #expect(loop.effects.isEmpty)
    try store.change(.begin)
    await service.waitForCalls(1)
    try store.change(.count(2), .begin)
    #expect(service.requests == ["begin"] && loop.phases == [.running])
    try store.change(.count(10))
    await service.waitForCancellations(1)
    service.answer(0, "too late")
    try store.change(.count(3))
    await service.waitForCalls(2)
    service.answer(1, "in time")
    await store.wait { !$0.results.isEmpty }
    #expect(store.state.results == ["in time"] && !store.state.isWanted)
    await loop.stop()
  }

  @Sendable private static func ask(_ service: Service) async -> Desk.Change? { .done(await service.ask("begin")) }

  @Test("is written with a result, a function, or a closure, and each answers", arguments: 0..<4)
  func forms(_ form: Int) async throws {
    let forms: [Feedback<Desk, Service>] = [
      Feedback("begin", Self.asking, when: \.isWanted),
      Feedback("begin", Self.ask, when: \.isWanted),
      Feedback("begin", when: \.isWanted) { service in .done(await service.ask("begin")) },
      Feedback("begin", when: \.isWanted) { service, effect in
        effect.send(.count(5))
        return .done(await service.ask("begin", key: effect.key))
      },
    ]
    let loop = store.run([forms[form]], in: service)
    try store.change(.begin)
    await service.waitForCalls(1)
    service.answer(0, "done")
    await store.wait { $0.results == ["done"] }
    #expect(store.state.count == (form == 3 ? 5 : 0))
    await loop.wait(until: \.isEmpty)
    await loop.stop()
  }

  private static func fail(_ problem: Problem) -> Desk.Change { problem == .jammed ? .done("jammed") : .done("offline") }
  @Sendable private static func jam(_ service: Service) async throws(Problem) -> Desk.Change? {
    service.tell("jam")
    throw .jammed
  }

  @Test("turns a failure of its effect into a change, with the failure's own type", arguments: 0..<5)
  func failures(_ form: Int) async throws {
    let forms: [Feedback<Desk, Service>] = [
      Feedback("begin", AsyncResult(catching: Self.jam).map { $0 ?? .count(0) }, when: \.isWanted, failure: Self.fail),
      Feedback("begin", Self.jam, when: \.isWanted, failure: Self.fail),
      Feedback(
        "begin", { service throws(Problem) in try await Self.jam(service) }, when: \.isWanted,
        failure: { problem in Self.fail(problem) }),
      Feedback("begin", when: \.isWanted) { service throws(Problem) in
        try await Self.jam(service)
      } failure: { problem in
        Self.fail(problem)
      },
      Feedback("begin", when: \.isWanted) { service, effect in
        effect.send(.count(5))
        return try await Self.jam(service)
      } failure: { error in
        .done("\(error)")
      },
    ]
    let loop = store.run([forms[form]], in: service)
    try store.change(.begin)
    await store.wait { $0.results == ["jammed"] }
    #expect(!store.state.isWanted && service.requests == ["jam"] && store.state.count == (form == 4 ? 5 : 0))
    await loop.stop()
  }
}

@Suite("A feedback whose effect fails")
struct FailureTests {
  private let store = Store(Desk())

  @Test("answers with the change that its failure becomes; a success stays one")
  func request() async throws {
    let find = Feedback<Desk, Void>("search", request: \.search) { text, _ throws(Problem) in
      guard text != "a" else { throw .offline }
      return .found(text)
    } failure: { text, problem in
      .found(problem == .offline ? "\(text) is offline" : "?")
    }
    let loop = store.run([find])
    try store.change(.search("a"))
    await store.wait { $0.found.count == 1 }
    try store.change(.search("b"))
    await store.wait { $0.found.count == 2 }
    #expect(store.state.found == ["a is offline", "b"])
    await loop.stop()
  }

  @Test("is an AsyncResult that fails, too")
  func asyncResult() async throws {
    let find = Feedback<Desk, Void>("search", request: \.search) { text in
      AsyncResult<Void, String, Problem> { _ in text == "a" ? .failure(.jammed) : .success(text) }.map { .found($0) }
    } failure: { text, problem in
      .found("\(text): \(problem)")
    }
    let loop = store.run([find])
    try store.change(.search("a"))
    await store.wait { $0.found.count == 1 }
    try store.change(.search("b"))
    await store.wait { $0.found.count == 2 }
    #expect(store.state.found == ["a: jammed", "b"])
    await loop.stop()
  }

  @Test("keeps its progress, and knows its key")
  func progress() async throws {
    let service = Service()
    let find = Feedback<Desk, Service>("search", request: \.search) { text, service, effect in
      effect.send(.count(1))
      service.tell(text, key: effect.key)
      throw Problem.jammed
    } failure: { text, error in
      .found("\(text): \(error)")
    }
    let loop = store.run([find], in: service)
    try store.change(.search("a"))
    await store.wait { $0.found == ["a: jammed"] }
    #expect(store.state.count == 1 && service.calls.first?.key?.feedback == "search")
    await loop.stop()
  }

  @Test("fails for one element of a collection alone", arguments: [false, true])
  func elements(usesKey: Bool) async throws {
    let plain = Feedback<Desk, Service>("send", each: \.letters, where: { !$0.isSent && $0.text != "failed" }) { letter, service in
      service.tell(letter.text)
      if letter.isUrgent { throw Problem.jammed }
      return .sent(letter.id)
    } failure: { letter, _ in
      .text(letter.id, "failed")
    }
    let keyed = Feedback<Desk, Service>("send", each: \.letters, where: { !$0.isSent && $0.text != "failed" }) { letter, service, effect in
      service.tell(letter.text, key: effect.key)
      if letter.isUrgent { throw Problem.jammed }
      return .sent(letter.id)
    } failure: { letter, _ in
      .text(letter.id, "failed")
    }
    let service = Service()
    let loop = store.run([usesKey ? keyed : plain], in: service)
    try store.change(.letter(Desk.Letter(id: 1, text: "a")), .letter(Desk.Letter(id: 2, text: "b", isUrgent: true)))
    await store.wait { $0.letters[id: 1]?.isSent == true && $0.letters[id: 2]?.text == "failed" }
    #expect(Set(service.requests) == ["a", "b"] && service.calls.allSatisfy { ($0.key != nil) == usesKey })
    #expect(store.state.letters[id: 2]?.isSent == false)
    await loop.stop()
  }

  @Test("fails for one of many requests alone, whichever form they have", arguments: 0..<3)
  func many(_ form: Int) async throws {
    let forms: [Feedback<Desk, Service>] = [
      Feedback("send", each: \.letters, request: { $0.isSent || $0.text == "failed" ? nil : $0.text }) { text, service, effect in
        service.tell(text, key: effect.key)
        if text == "b" { throw Problem.jammed }
        return .sent(1)
      } failure: { text, _ in
        .text(2, "failed")
      },
      Feedback("send", requests: { Set($0.letters.filter { !$0.isSent && $0.text != "failed" }.map(\.text)) }) { text, service, effect in
        service.tell(text, key: effect.key)
        if text == "b" { throw Problem.jammed }
        return .sent(1)
      } failure: { text, _ in
        .text(2, "failed")
      },
      Feedback(
        "send",
        requestsByID: { desk in
          Dictionary(uniqueKeysWithValues: desk.letters.filter { !$0.isSent && $0.text != "failed" }.map { ($0.id, $0.text) })
        }
      ) { text, service, effect in
        service.tell(text, key: effect.key)
        if text == "b" { throw Problem.jammed }
        return .sent(1)
      } failure: { text, _ in
        .text(2, "failed")
      },
    ]
    let service = Service()
    let loop = store.run([forms[form]], in: service)
    try store.change(.letter(Desk.Letter(id: 1, text: "a")), .letter(Desk.Letter(id: 2, text: "b")))
    await store.wait { $0.letters[id: 1]?.isSent == true && $0.letters[id: 2]?.text == "failed" }
    #expect(Set(service.requests) == ["a", "b"])
    #expect(Set(service.calls.compactMap(\.key)).count == 2)
    await loop.stop()
  }

  @Test("that is cancelled makes no change of its failure")
  func cancelled() async throws {
    let service = Service()
    let find = Feedback<Desk, Service>("search", request: \.search) { text, service in
      _ = await service.ask(text)
      try Task.checkCancellation()
      return .found(text)
    } failure: { text, _ in
      .found("\(text) failed")
    }
    let loop = store.run([find], in: service)
    try store.change(.search("a"))
    await service.waitForCalls(1)
    try store.change(.search("b"))
    await service.waitForCancellations(1)
    service.answer(0)
    await service.waitForCalls(2)
    service.answer(1)
    await store.wait { !$0.found.isEmpty }
    await loop.stop()
    #expect(store.state.found == ["b"])
  }
}

@Suite("A feedback with a smaller environment")
struct EnvironmentTests {
  private let store = Store(Desk())
  private static let find = Feedback<Desk, Service>("search", request: \.search) { text, service in .found(await service.ask(text)) }
  private static let begin = Feedback<Desk, Printer>("begin", when: \.isWanted) { printer in .done(printer.name) }

  @Test("receives its part of the loop's environment, beside feedbacks with other parts")
  func parts() async throws {
    let app = App()
    let loop = store.run([Self.find.provide(\.service), Self.begin.provide { app in app.printer }], in: app)
    try store.change(.search("a"), .begin)
    await app.service.waitForCalls(1)
    app.service.answer(0, "found")
    await store.wait { $0.found == ["found"] && $0.results == ["printer"] }
    await loop.stop()
  }

  @Test("takes its part once, when the loop starts")
  func once() async throws {
    let taken = Lock(0)
    let counted = Self.begin.provide { (app: App) in
      taken.withLock { $0 += 1 }
      return app.printer
    }
    #expect(taken.withLock { $0 } == 0)
    let loop = store.run([counted], in: App())
    for count in 1...3 {
      try store.change(.begin)
      await store.wait { $0.results.count == count }
    }
    #expect(taken.withLock { $0 } == 1)
    await loop.stop()
  }

  @Test("runs without one after its dependencies are supplied, and keeps its name")
  func supplied() async throws {
    let loop = store.run([Self.begin.provide(Printer())])
    try store.change(.begin)
    await store.wait { $0.results == ["printer"] }
    #expect(Self.begin.provide(Printer()).name == "begin")
    await loop.stop()
  }

  @Test(
    "stays local: it performs pending changes in a store with a journal, before and after it is given its part", arguments: [false, true])
  func local(isLocalFirst: Bool) async throws {
    let journal = MemoryJournal()
    let store = try await Store.open(Desk(), in: journal)
    let feedback = isLocalFirst ? Self.begin.local.provide(\App.printer) : Self.begin.provide(\App.printer).local
    // Nothing is confirmed during the turn, and the effect runs nevertheless.
    let before = store.revision
    let turn = try await journal.takeTurn()
    let loop = store.run([feedback], in: App())
    try store.change(.begin)
    await store.wait { $0.results == ["printer"] }
    #expect(store.revision == before)
    turn.end()
    await loop.stop()
    await store.close()
  }

  @Test("is tested with the app's environment, like any other")
  func testStore() async {
    let test = TestStore(Desk(), feedbacks: [Self.begin.provide(\App.printer)], in: App())
    test.send(.begin, changing: ["isWanted": true])
    await test.receive(.done("printer"), changing: ["isWanted": false, "results": ["printer"]])
    await test.finish()
  }
}
