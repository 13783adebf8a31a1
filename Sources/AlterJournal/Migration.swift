import AlterCore

/// How stored data of one generation is read in the next.
///
/// ```swift
/// static var schema: StateSchema {
///   StateSchema(version: 3, migrations: [
///     // 2: "done" became "completed".
///     Migration(from: 1, to: 2, state: { $0.renaming("done", to: "completed") }, change: { [$0.renaming("done", to: "completed")] }),
///     // 3: "add" began to round. What was added before keeps its meaning, under a name of its own.
///     Migration(from: 2, to: 3, change: { [$0.renaming("add", to: "addExactly")] }),
///   ])
/// }
/// ```
///
/// Entries are migrated each time they are read, and never rewritten. So a migration is pure and deterministic, like `apply`, and stays in the
/// app as long as there are journals with entries of its generation.
public struct Migration: Sendable {
  /// The generation that it reads.
  public let from: Int
  /// The generation that it makes of it.
  public let to: Int
  let state: @Sendable (JSONValue) throws -> JSONValue
  let change: @Sendable (JSONValue) throws -> [JSONValue]

  /// A migration.
  ///
  /// - Parameters:
  ///   - from: The generation that it reads.
  ///   - to: The generation that it makes of it; higher.
  ///   - state: The new form of a state. Without it states stay as they are.
  ///   - change: What a change becomes: usually one change; several, which are made one after the other; or none, when the case is gone and
  ///     changes nothing any more. Without it changes stay as they are.
  public init(
    from: Int, to: Int, state: @escaping @Sendable (JSONValue) throws -> JSONValue = { $0 },
    change: @escaping @Sendable (JSONValue) throws -> [JSONValue] = { [$0] }
  ) {
    precondition(from < to, "A migration leads from an older generation to a newer one, not from \(from) to \(to).")
    self.from = from
    self.to = to
    self.state = state
    self.change = change
  }
}

/// A generation of stored data, and how older ones are read.
public struct StateSchema: Sendable {
  /// 1, 2, 3 … Stored with each entry. An app refuses to write a journal that holds a version newer than its own.
  public let version: Int

  /// How older generations are read, by what they read. A generation without a migration reads as the next one.
  public let migrations: [Migration]

  /// A generation by number.
  ///
  /// - Parameters:
  ///   - version: Its number, at least 1.
  ///   - migrations: How older generations are read: at most one from each. They are chained, 1 → 2 → 3.
  public init(version: Int, migrations: [Migration] = []) {
    self.version = version
    self.migrations = migrations.sorted { $0.from < $1.from }
    for (earlier, later) in zip(self.migrations, self.migrations.dropFirst()) {
      precondition(
        earlier.to <= later.from, "Migrations from \(earlier.from) to \(earlier.to) and from \(later.from) overlap: make a chain of them.")
    }
    precondition(self.migrations.allSatisfy { $0.to <= version }, "A migration leads beyond schema \(version): raise the version.")
  }

  /// Why a migration could not read something.
  struct Failure: Error, CustomStringConvertible {
    let migration: Migration
    let reason: any Error
    var description: String { "its migration from schema \(migration.from) to \(migration.to) fails: \(reason)" }
  }

  /// Those that lead from a generation to this one, in order.
  private func steps(from version: Int) -> ArraySlice<Migration> {
    migrations.drop { $0.from < version }
  }

  /// Whether data of a generation is read as it is.
  package func readsAsIs(_ version: Int) -> Bool { steps(from: version).isEmpty }

  /// A state of an older generation, in this one.
  package func upgrade(state: JSONValue, from version: Int) throws -> JSONValue {
    var state = state
    for step in steps(from: version) {
      do { state = try step.state(state) } catch { throw Failure(migration: step, reason: error) }
    }
    return state
  }

  /// The changes of a batch of an older generation, in this one, and the ``/AlterCore/Stamp/index`` that each is to see.
  ///
  /// A change keeps the index that it had, so that it makes the same fresh ids as when it was new. Of several that one became the first has its
  /// index; the others' depend on it, on the generation and on their number alone, so later migrations don't change them.
  package func upgrade(changes: [JSONValue], from version: Int) throws -> (changes: [JSONValue], indices: [Int]) {
    var upgraded = changes
    var indices = Array(changes.indices)
    for step in steps(from: version) {
      var next: [JSONValue] = []
      var nextIndices: [Int] = []
      for (change, index) in zip(upgraded, indices) {
        let results: [JSONValue]
        do { results = try step.change(change) } catch { throw Failure(migration: step, reason: error) }
        for (number, result) in results.enumerated() {
          next.append(result)
          nextIndices.append(number == 0 ? index : Self.index(after: index, number: number, step: step.from))
        }
      }
      (upgraded, indices) = (next, nextIndices)
    }
    return (upgraded, indices)
  }

  /// A number far beyond those of any batch: 62 bits of a hash.
  private static func index(after index: Int, number: Int, step: Int) -> Int {
    var hash = SipHash128(key0: 0x416C_7465_7220_6D69, key1: 0x6772_6174_696F_6E73)
    hash.combine(UInt64(bitPattern: Int64(index)))
    hash.combine(UInt64(bitPattern: Int64(number)))
    hash.combine(UInt64(bitPattern: Int64(step)))
    return Int(truncatingIfNeeded: hash.finalize().0 >> 2 | 1 << 61)
  }
}
