public import AlterCore

/// Converts data of one schema version into a later one.
///
/// ```swift
/// static var schema: StateSchema {
///   StateSchema(version: 3, migrations: [
///     // 2: "done" became "completed".
///     Migration(from: 1, to: 2, state: { $0.renaming("done", to: "completed") }, change: { [$0.renaming("done", to: "completed")] }),
///     // 3: "add" began to round. An older "add" keeps its meaning under a name of its own.
///     Migration(from: 2, to: 3, change: { [$0.renaming("add", to: "addExactly")] }),
///   ])
/// }
/// ```
///
/// Entries are migrated each time they are read, and are never rewritten. A migration must therefore be pure and deterministic, like
/// `apply`, and must stay in the app as long as journals hold entries of its version.
public struct Migration: Sendable {
  /// The schema version that the migration reads.
  package let from: Int
  /// The schema version that the migration produces.
  package let to: Int
  let state: @Sendable (JSONValue) throws -> JSONValue
  let change: @Sendable (JSONValue) throws -> [JSONValue]

  /// Creates a migration.
  ///
  /// - Parameters:
  ///   - from: The schema version that the migration reads.
  ///   - to: The schema version that it produces; higher than `from`.
  ///   - state: Converts a state. By default states are unchanged.
  ///   - change: Converts a change, usually to one change. Several changes are made one after the other; an empty array drops a change
  ///     whose case no longer exists and has no effect. By default changes are unchanged.
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

/// The schema version of stored data, and the migrations from older versions.
public struct StateSchema: Sendable {
  /// 1, 2, 3 … Stored with each entry. A store throws `newerSchema` if it reads an entry of a higher version.
  public let version: Int

  /// The migrations, ordered by the version that they read. Data of a version without a migration is read as data of the next version.
  package let migrations: [Migration]

  /// The lowest version whose snapshots are converted instead of ignored; ``version`` if only those of the present version are used.
  package let snapshotsFrom: Int

  /// Creates a schema version.
  ///
  /// - Parameters:
  ///   - version: The number of the version, at least 1.
  ///   - migrations: The migrations from older versions, at most one from each, in any order. They are chained: 1 → 2 → 3.
  ///   - snapshotsFrom: The lowest version whose snapshots are converted by the migrations of states. By default a new version ignores
  ///     the snapshots of older ones, and its first opening reads the whole journal again: seconds for each million entries. Name an older
  ///     version only if a converted state always equals the state that the converted changes lead to. `Store.verify` checks this for
  ///     every snapshot of a journal. A version above ``version`` means ``version``.
  public init(version: Int, migrations: [Migration] = [], snapshotsFrom: Int? = nil) {
    self.version = version
    self.snapshotsFrom = min(snapshotsFrom ?? version, version)
    self.migrations = migrations.sorted { $0.from < $1.from }
    for (earlier, later) in zip(self.migrations, self.migrations.dropFirst()) {
      precondition(
        earlier.to <= later.from, "Migrations from \(earlier.from) to \(earlier.to) and from \(later.from) overlap: make a chain of them.")
    }
    precondition(self.migrations.allSatisfy { $0.to <= version }, "A migration leads beyond schema \(version): raise the version.")
  }

  /// The error of a migration that failed.
  struct Failure: Error, CustomStringConvertible {
    let migration: Migration
    let reason: any Error
    var description: String { "its migration from schema \(migration.from) to \(migration.to) fails: \(reason)" }
  }

  /// The migrations from a version to this one, in order.
  private func steps(from version: Int) -> ArraySlice<Migration> {
    migrations.drop { $0.from < version }
  }

  /// Whether a snapshot of a version can be used: as it is, or converted.
  package func readsSnapshot(of version: Int) -> Bool { (snapshotsFrom...self.version).contains(version) }

  /// Whether data of a version needs no migration.
  package func readsAsIs(_ version: Int) -> Bool { steps(from: version).isEmpty }

  /// Returns a state of an older version, converted to this one.
  package func upgrade(state: JSONValue, from version: Int) throws -> JSONValue {
    var state = state
    for step in steps(from: version) {
      do { state = try step.state(state) } catch { throw Failure(migration: step, reason: error) }
    }
    return state
  }

  /// Returns the changes of a batch of an older version, converted to this one, each with the ``/AlterCore/Stamp/index`` for its stamp.
  ///
  /// A change keeps its index, so that it makes the same fresh ids as before. If a migration turns one change into several, the first keeps
  /// the index. The index of each other one depends only on the original index, the migration's version and its position among them, so a
  /// later migration does not modify it.
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

  /// Returns an index far beyond the indices of any batch: at least 2^61, with 61 bits of a hash.
  private static func index(after index: Int, number: Int, step: Int) -> Int {
    var hash = SipHash128(key0: 0x416C_7465_7220_6D69, key1: 0x6772_6174_696F_6E73)
    hash.combine(UInt64(bitPattern: Int64(index)))
    hash.combine(UInt64(bitPattern: Int64(number)))
    hash.combine(UInt64(bitPattern: Int64(step)))
    return Int(truncatingIfNeeded: hash.finalize().0 >> 2 | 1 << 61)
  }
}

/// A state that can be kept in a journal: the state and its changes are `Codable`.
///
/// ```swift
/// struct AppState: Journaled {
///   enum Change: Hashable, Codable { … }
///   …
/// }
/// ```
public protocol Journaled: Alterable, Codable where Change: Codable {
  /// The schema version that this type writes, 1 by default. Raise it whenever the stored form or the effect of a change is modified.
  static var schema: StateSchema { get }
}

extension Journaled {
  /// Version 1, without migrations.
  public static var schema: StateSchema { StateSchema(version: 1) }
}
