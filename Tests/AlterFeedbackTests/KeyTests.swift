import Alter
import AlterCore
import AlterTesting
import Foundation
import Testing

@Suite("The id of a request")
struct KeyTests {
  private let stamp = Stamp(time: 1_700_000_000_000_001, origin: .testing, sequence: 7, index: 2)

  @Test("differs for each stamp, each change of a batch, each number and each name")
  func different() {
    let ids = [
      RequestID(stamp), RequestID(stamp, 1), RequestID(Stamp(time: stamp.time, origin: .testing, sequence: 7, index: 3)),
      RequestID(Stamp(time: stamp.time, origin: .testing, sequence: 8, index: 2)),
      RequestID(Stamp(time: stamp.time, origin: .random(), sequence: 7, index: 2)),
      // A copied file may repeat the origin and the sequence.
      RequestID(Stamp(time: stamp.time + 1, origin: .testing, sequence: 7, index: 2)),
      RequestID(named: "invoice-17"), RequestID(named: "invoice-18"), RequestID(named: RequestID(stamp).description),
    ]
    #expect(Set(ids).count == ids.count)
    #expect(Set(ids.flatMap { [$0.key("charge"), $0.key("mail")] }).count == 2 * ids.count)
  }

  @Test("has the same key for the same stamp, and a stable form")
  func stable() {
    #expect(RequestID(stamp).key("charge") == "charge/00000000-0000-4000-8000-000000000001.7.2.0.1700000000000001")
    #expect(RequestID(named: "invoice-2026-17").key("charge") == "charge/named/invoice-2026-17")
  }

  @Test("with a name is that of its bytes: equal ids have equal keys")
  func bytes() {
    let (composed, decomposed) = (RequestID(named: "Caf\u{e9}"), RequestID(named: "Cafe\u{301}"))
    #expect(composed != decomposed && composed.key("charge") != decomposed.key("charge"))
    #expect(Set([composed, decomposed, RequestID(named: "Caf\u{e9}")]).count == 2)
    #expect(RequestID(decomposed.description) == decomposed)
  }

  @Test("survives its stored form", arguments: [0, 1, 2])
  func codable(which: Int) throws {
    let id = [RequestID(stamp, 3), RequestID(named: "a \"name\"\n"), RequestID(.none)][which]
    #expect(try JSONDecoder().decode(RequestID.self, from: JSONEncoder().encode(id)) == id)
    #expect(RequestID(id.description) == id)
    let request = Requested([1, 2], id: id)
    #expect(try JSONDecoder().decode(Requested<[Int]>.self, from: JSONEncoder().encode(request)) == request)
  }

  @Test("is not read from another text", arguments: ["", "x", "1.2.3.4.5", "00000000-0000-4000-8000-000000000001.7.2.0", "named"])
  func malformed(text: String) {
    #expect(RequestID(text) == nil)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(RequestID.self, from: JSONEncoder().encode(text)) }
  }

  @Test("fits a header field, whatever the name and the purpose hold")
  func fits() {
    for text in ["", "a/b", "line\nend", "Ünïcode 🎉", String(repeating: "x", count: 10_000), "100 %"] {
      for id in [RequestID(named: text), RequestID(stamp)] {
        let key = id.key(text)
        #expect(key.utf8.count <= 250 && key.utf8.allSatisfy { (33...126).contains($0) })
      }
    }
    #expect(RequestID(named: "ö").key("p") == "p/named/%C3%B6")
    #expect(RequestID(named: String(repeating: "x", count: 129)).key("p").hasPrefix("p/named/hash:"))
  }

  // MARK: - The same id after each event

  private let service = Service()

  private func open(_ journal: any Journal) async throws -> Store<Desk> {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    return try await Store.open(Desk(), in: journal, options: options)
  }

  @Test("is the same after a restart, an undo with a redo, a compaction and in a copy")
  func sameAfterwards() async throws {
    let journal = MemoryJournal()
    let store = try await open(journal)
    try await store.change(.pay(5)).durable()
    let id = try #require(store.state.payment?.id)
    try await store.undo()
    try await store.redo()
    #expect(store.state.payment?.id == id)
    await store.close()
    let again = try await open(journal)
    #expect(again.state.payment?.id == id)
    let copy = MemoryJournal()
    try await again.copy(to: copy, squashing: false)
    await again.close()
    try await Store<Desk>.compact(journal, keeping: .from(4))
    for journal in [journal, copy] {
      let store = try await open(journal)
      #expect(store.state.payment?.id == id)
      await store.close()
    }
  }

  @Test("is the same for each attempt, and the attempt takes the newest value of its element")
  func eachAttempt() async throws {
    let clock = TestClock()
    var options = FeedbackOptions()
    options.clock = clock.clock
    let store = Store(Desk())
    let mails = Feedback<Desk, Service>("mails", each: \.letters, request: \.mail) { mail, service in
      _ = try await service.ask(mail.value, key: mail.id.key("mail"))
      return .mailed(1, mail.id)
    }
    let run = try store.run([mails], in: service, options: options)
    try store.change(.letter(.init(id: 1, text: "a")), .mail(1))
    await service.waitForCalls(1)
    // Another change of the element leaves the effect alone.
    try store.change(.text(1, "b"))
    #expect(service.cancelled == [] && store.phases == ["running"])
    service.fail(0)
    await clock.sleepers(1)
    clock.advance(by: .seconds(2))
    await service.waitForCalls(2)
    #expect(service.calls[0].key == service.calls[1].key)
    service.answer(1)
    await store.rest()
    #expect(store.state.letters[id: 1]?.isSent == true)
    await run.stop()
  }

  @Test("made outside of a store is not performed on a journal, and that is reported")
  func noStamp() async throws {
    var desk = Desk()
    desk = try desk.alter(.pay(5))
    let store = try await Store.open(desk, in: MemoryJournal())
    let run = try store.run([.charge], in: service)
    #expect(await store.nextProblem()?.contains("its id was made with `Stamp.none`") == true)
    #expect(store.phases == ["stuck"] && service.requests == [])
    await run.stop()
    await store.close()
    // In memory nobody else can have the same id.
    let memory = Store(desk)
    let other = try memory.run([.charge], in: service)
    await service.waitForCalls(1)
    service.answer(0)
    await memory.rest()
    await other.stop()
  }
}
