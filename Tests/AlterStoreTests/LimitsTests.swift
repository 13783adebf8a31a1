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

  /// A leaf in arrays. Only `Codable` knows its form.
  private indirect enum Nested: Codable {
    case bytes(Data)
    case url(URL)
    case text(String)
    case array(Nested)

    init(_ leaf: Nested, in levels: Int) { self = (0..<levels).reduce(leaf) { nested, _ in .array(nested) } }

    func encode(to encoder: any Encoder) throws {
      var single: any SingleValueEncodingContainer { encoder.singleValueContainer() }
      switch self {
      case .bytes(let bytes):
        var container = single
        try container.encode(bytes)
      case .url(let url):
        var container = single
        try container.encode(url)
      case .text(let text):
        var container = single
        try container.encode(text)
      case .array(let inner):
        var container = encoder.unkeyedContainer()
        try container.encode(inner)
      }
    }

    init(from decoder: any Decoder) throws { self = .text(try decoder.singleValueContainer().decode(String.self)) }
  }

  @Test("a value has 128 levels whatever is in the innermost one: bytes and URLs are texts")
  func leaves() throws {
    let url = try #require(URL(string: "https://example.com/a"))
    for leaf in [Nested.text("a"), .bytes(Data([1, 2])), .url(url)] {
      let json = try JournalCoding.encode(Nested(leaf, in: 128))
      #expect(json.prefix { $0 == UInt8(ascii: "[") }.count == 128)
      #expect(throws: EncodingError.self) { try JournalCoding.encode(Nested(leaf, in: 129)) }
    }
  }

  /// Runs the work on a thread with a stack of 512 KiB, the smallest of any platform.
  private func onSmallStack(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let thread = Thread { continuation.resume(with: Result { try work() }) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test("a state 60 folders deep is changed, written and read on a stack of 512 KiB")
  func deep() async throws {
    try await onSmallStack {
      var root = Folder()
      for depth in 0..<60 { root.apply(Self.nested(.add, depth), at: .none) }
      let bytes = try JournalCoding.encode(root)
      let read: Folder = try JournalCoding.decode(from: bytes)
      let change: Folder.Change = try JournalCoding.decode(from: JournalCoding.encode(Self.nested(.name("deep"), 60)))
      guard read == root, read.depth == 61, read.alter(change) != root else { throw ReplicaSimulation.Failure("it was changed") }
    }
  }

  @Test("a change too deep to be read back is refused on its thread, with a stack of 512 KiB", arguments: [63, 64, 600, 5_000])
  func tooDeep(depth: Int) async throws {
    let store = try await Store.open(Folder(), in: MemoryJournal())
    let problems = store.problems
    let errors = Lock<[ChangeError<Never>]>([])
    try await onSmallStack {
      let change = Self.nested(.name("x"), depth)
      for changes in [[change], [.name("y"), change]] {
        do throws(ChangeError<Never>) { try store.change(changes) } catch { errors.withLock { $0.append(error) } }
      }
    }
    #expect(errors.withLock { $0.count } == 2)
    for error in errors.withLock({ $0 }) {
      #expect(error.description.contains("it can't be written as JSON: it is nested more than 128 levels deep"), "\(error)")
    }
    #expect(store.state == Folder() && store.revision == 1)
    try await store.change(.name("fine")).durable()
    #expect(store.state.name == "fine" && store.revision == 2)
    await store.close()
    for await problem in problems { Issue.record("\(problem)") }
  }

  @Test("a replacement of the state that is too deep is refused, too; a store in memory takes any depth")
  func deepStates() async throws {
    var root = Folder()
    for depth in 0..<64 { root.apply(Self.nested(.add, depth), at: .none) }
    let store = try await Store.open(Folder(), in: MemoryJournal())
    #expect(throws: ChangeError<Never>.self) { try store.reset(to: root) }
    await store.close()
    let memory = Store(Folder())
    try memory.reset(to: root)
    try memory.change(Self.nested(.name("deepest"), 64))
    #expect(memory.state.depth == 65)
  }

  @Test("each change that is made can be stored: the check and the coder agree on the depth")
  func agreement() async throws {
    let store = try await Store.open(Folder(), in: MemoryJournal())
    var deepest = 0
    for depth in 0..<130 {
      let change = Self.nested(.add, depth)
      let canBeStored = (try? JournalCoding.encode([change])) != nil
      if let commit = try? store.change(change) {
        try await commit.durable()
        deepest = depth
        #expect(canBeStored)
      } else {
        #expect(!canBeStored)
      }
    }
    #expect(deepest == 62)
    await store.close()
  }

  private struct Nest: Codable, Equatable {
    var inner: [Nest]
  }

  /// A change that is coded by hand, with one level of JSON for each of its own.
  private indirect enum Step: Codable, Equatable {
    case end
    case step(Step)

    init(from decoder: any Decoder) throws {
      let wire = try WireCase(of: Self.self, from: decoder)
      self = wire.name == "end" ? .end : .step(try wire.value())
    }
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .end: try WireCase.encode("end", to: encoder)
      case .step(let step): try WireCase.encode("step", step, to: encoder)
      }
    }
  }

  /// A value that is stored as the value in it, without a level of JSON.
  private final class Wrapped: Codable {
    let inner: Wrapped?
    init(_ inner: Wrapped?) { self.inner = inner }
    init(from decoder: any Decoder) throws { inner = nil }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let inner { try container.encode(inner) } else { try container.encode(1) }
    }
  }

  #if Macros
    @Wire fileprivate enum Generated: Hashable {
      case end
      indirect case step(Generated)
    }
    @Wire fileprivate enum Flat: Hashable {
      case text(of: String, numbers: [Int?])
      case place(Spot?)
    }
    @Wire fileprivate struct Spot: Hashable {
      var x: Double
      var names: Set<String>
    }
  #endif

  /// Codes ever deeper values, until one is refused, and then a very deep one.
  ///
  /// - Returns: The number of steps of the deepest value.
  private static func deepest<Value: Codable & Equatable>(_ value: Value, _ next: (Value) -> Value) throws -> Int {
    var (value, depth) = (value, 0)
    while let json = try? JournalCoding.encode(value) {
      guard try JournalCoding.decode(Value.self, from: json) == value else { throw ReplicaSimulation.Failure("\(depth)") }
      (value, depth) = (next(value), depth + 1)
    }
    for _ in 0..<300 { value = next(value) }
    guard (try? JournalCoding.encode(value)) == nil else { throw ReplicaSimulation.Failure("\(depth + 300) levels") }
    return depth - 1
  }

  private struct Point: Codable, Equatable {
    var x = 1
    var colour: Int?
  }

  @Test("only types whose values can contain others without a limit are measured")
  func nesting() {
    let flat: [Any.Type] = [
      String.self, [String: Int?].self, [[Date]].self, URL.self, UUID?.self, Decimal.self, Point.self,
      Never.self,
    ]
    for type in flat { #expect(!StoredFormDescription.canNest(type), "\(type)") }
    let nested: [Any.Type] = [Folder.self, Folder.Change.self, [Folder].self, Nest?.self, Step.self, Wrapped.self]
    for type in nested { #expect(StoredFormDescription.canNest(type), "\(type)") }
    #if Macros
      #expect(StoredFormDescription.canNest(Generated.self) && StoredFormDescription.canNest([String: Generated].self))
      #expect(!StoredFormDescription.canNest(Flat.self))
    #endif
  }

  @Test("as deep as is written can be read, on a stack of 512 KiB: 128 levels of JSON")
  func limit() async throws {
    try await onSmallStack {
      let depths = try [
        Self.deepest(Nest(inner: [])) { Nest(inner: [$0]) }, Self.deepest(Step.end, Step.step),
        Self.deepest(Folder.Change.add, Folder.Change.inside),
      ]
      // Two levels for a nest, one for a step and two for a change that the compiler codes.
      guard depths == [63, 127, 63] else { throw ReplicaSimulation.Failure("\(depths)") }
      var wrapped = Wrapped(nil)
      for _ in 0..<600 { wrapped = Wrapped(wrapped) }
      guard (try? JournalCoding.encode(wrapped)) == nil else { throw ReplicaSimulation.Failure("600 wrappers") }
      #if Macros
        guard try Self.deepest(Generated.end, Generated.step) == 127 else { throw ReplicaSimulation.Failure("generated") }
      #endif
      // Bytes from a file or a network.
      for depth in [129, 511, 100_000] {
        let json = Data((String(repeating: #"{"step":"#, count: depth) + String(repeating: "}", count: depth)).utf8)
        guard (try? JournalCoding.decode(Step.self, from: json)) == nil else { throw ReplicaSimulation.Failure("\(depth) levels") }
      }
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
