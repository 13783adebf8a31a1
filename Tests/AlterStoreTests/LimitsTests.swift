import Alter
import AlterCore
import AlterTesting
import Foundation
import Testing

@Suite("Deep and large states")
struct LimitsTests {
  /// A folder that contains folders. A change of it is as deeply nested as its path.
  struct Folder: Journaled, Hashable {
    indirect enum Change: Hashable, Codable, Sendable {
      case name(String)
      case add
      case inside(Change)
    }
    private(set) var name = ""
    private(set) var folders: [Folder] = []

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .name(let name): self.name = name
      case .add: folders.append(Folder())
      case .inside(let change): if !folders.isEmpty { folders[0].apply(change, at: stamp) }
      }
    }

    var depth: Int { 1 + (folders.first?.depth ?? 0) }
  }

  static func nested(_ change: Folder.Change, _ depth: Int) -> Folder.Change {
    var change = change
    for _ in 0..<depth { change = .inside(change) }
    return change
  }

  /// Runs the work on a thread with a stack of 512 KiB, the smallest of any platform.
  private func onSmallStack(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let thread = Thread { continuation.resume(with: Result { try work() }) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test("a state 100 folders deep is changed, written and read on a stack of 512 KiB")
  func deep() async throws {
    try await onSmallStack {
      var root = Folder()
      for depth in 0..<100 { root.apply(Self.nested(.add, depth), at: .none) }
      let bytes = try JournalCoding.encode(root)
      let read: Folder = try JournalCoding.decode(from: bytes)
      let change: Folder.Change = try JournalCoding.decode(from: JournalCoding.encode(Self.nested(.name("deep"), 100)))
      guard read == root, read.depth == 101, read.alter(change) != root else { throw ReplicaSimulation.Failure("it was changed") }
    }
  }

  @Test("a change too deep to be read back is not written: it is taken out again, and its commit says why")
  func tooDeep() async throws {
    let journal = MemoryJournal()
    let store = try await Store.open(Folder(), in: journal)
    let commit = try store.change(Self.nested(.name("x"), 600))
    let error = await #expect(throws: CommitError<Never>.self) { try await commit.durable() }
    #expect(error?.description.contains("can't be written as JSON") == true)
    try await store.change(.name("fine")).durable()
    #expect(store.state.name == "fine" && store.status == .open)
    await store.close()
  }

  @Test("as deep as is written can be read")
  func limit() throws {
    struct Nest: Codable, Equatable {
      var inner: [Nest]
    }
    var nest = Nest(inner: [])
    while let json = try? JournalCoding.encode(nest) {
      #expect(try JournalCoding.decode(Nest.self, from: json) == nest)
      nest = Nest(inner: [nest])
    }
    // Brackets in texts don't count as nesting.
    let text = String(repeating: "[{\"\\", count: 1_000)
    #expect(try JournalCoding.decode(String.self, from: JournalCoding.encode(text)) == text)
  }

  @Test("a large state goes through the store on small stacks, too")
  func large() async throws {
    let store = Store(Board())
    try await onSmallStack {
      try store.change((0..<50_000).map { .note("\($0)") })
    }
    try await store.undo()
    try await store.redo()
    #expect(store.state.notes.count == 50_000)
  }
}
