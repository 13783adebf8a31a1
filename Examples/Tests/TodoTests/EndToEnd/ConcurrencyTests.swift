import Alter
import Foundation
import ProcessTesting
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Several of it at once") struct ConcurrencyTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Calls a closure for each number, `width` at a time, each call on its own thread.
    private func concurrently(_ count: Int, width: Int, _ body: @escaping @Sendable (Int) -> Void) {
      let next = Shared(0)
      let group = DispatchGroup()
      for _ in 0..<width {
        let thread = Thread {
          while let number: Int = next.withLock({ next in
            defer { next += 1 }
            return next < count ? next : nil
          }) {
            body(number)
          }
          group.leave()
        }
        group.enter()
        thread.start()
      }
      group.wait()
    }

    @Test("200 adds, 8 processes at a time, are all there, once") func adds() async throws {
      let failures = Shared<[String]>([])
      concurrently(200, width: 8) { [sandbox] number in
        do {
          let outcome = try sandbox.todo("add", "Item \(number)", "--tag", "t")
          if outcome.status != 0 || !outcome.output.hasPrefix("Added ") { failures.withLock { $0.append("\(outcome)") } }
        } catch { failures.withLock { $0.append("\(error)") } }
      }
      #expect(failures.withLock { $0 } == [])
      #expect(try sandbox.texts().sorted() == (0..<200).map { "Item \($0) @t" }.sorted())
      #expect(try await sandbox.records().count == 201)
    }

    @Test("two undos at once take back two changes, every time") func undos() async throws {
      for round in 1...8 {
        for number in 1...3 { try sandbox.todo("add", "Round \(round) item \(number)") }
        let outcomes = Shared<[Outcome]>([])
        concurrently(2, width: 2) { [sandbox] _ in
          if let outcome = try? sandbox.todo("undo") { outcomes.withLock { $0.append(outcome) } }
        }
        let said = outcomes.withLock { $0.map(\.output) }.sorted()
        #expect(said.count == 2)
        #expect(zip(said, [2, 3]).allSatisfy { $0.hasSuffix("added ‘Round \(round) item \($1)’\n") }, "\(said)")
        #expect(try sandbox.texts().suffix(1) == ["Round \(round) item 1"])
      }
      #expect(try sandbox.texts().count == 8)
    }

    @Test("done means the item that had the number, whatever a remove at the same moment does to the numbers") func numbers() async throws {
      for round in 1...8 {
        let list = sandbox.folder + "/numbers-\(round)"
        try sandbox.todo("add", "-", "--store", list, input: Array("one\ntwo\nthree\n".utf8))
        concurrently(2, width: 2) { [sandbox] number in
          _ = number == 0 ? try? sandbox.todo("remove", "1", "--store", list) : try? sandbox.todo("done", "2", "--store", list)
        }
        let lines = try sandbox.todo("export", "--store", list).output.split(separator: "\n")
        // Either `done` was first, or item 2 of its list was already "three". Both, or "one", would be an error.
        #expect(lines.count == 2)
        #expect(lines.filter { $0.hasPrefix("x ") }.count == 1)
      }
    }
  }
}
