public import Alter

/// What a timer without a journal depends on: the article's way, with a closure for each.
public struct FastingEnvironment: Sendable {
  /// Reads what was saved last; nil when nothing was.
  public var load: @Sendable () throws(StorageError) -> FastingState?
  /// Keeps a state, in place of the one before.
  public var save: @Sendable (FastingState) throws(StorageError) -> Void
  /// Microseconds since 1970 UTC.
  public var now: @Sendable () -> Int64

  /// An environment of these.
  public init(
    load: @escaping @Sendable () throws(StorageError) -> FastingState?,
    save: @escaping @Sendable (FastingState) throws(StorageError) -> Void,
    now: @escaping @Sendable () -> Int64
  ) {
    (self.load, self.save, self.now) = (load, save, now)
  }
}

/// Why a state could not be read or kept.
public struct StorageError: Error, Hashable, CustomStringConvertible {
  /// What happened.
  public let description: String

  /// An error with a message.
  public init(_ description: String) { self.description = description }
}

/// The imperative shell of the same core, without a journal: it loads, changes, saves.
///
/// A store does all of this, and what is missing here: two of these on one file overwrite each other, a save writes everything, what was there before is
/// gone, and nobody can undo.
public struct EnvironmentTimer: Sendable {
  /// Why a change was not made.
  public enum Failure: Error, Hashable {
    case refused(Refusal)
    case notSaved(StorageError)
  }

  /// What is saved.
  public private(set) var state: FastingState
  private let environment: FastingEnvironment

  /// Goes on with what was saved.
  ///
  /// - Throws: What `load` throws. It does not begin anew: the next save would overwrite what could not be read.
  public init(in environment: FastingEnvironment) throws(StorageError) {
    self.environment = environment
    state = try environment.load() ?? FastingState()
  }

  /// Makes a change and saves the state: both or none.
  public mutating func send(_ change: FastingState.Change) throws(Failure) {
    let next: FastingState
    do throws(Refusal) {
      next = try state.alter(change, at: Stamp(time: environment.now(), origin: .none, sequence: 1))
    } catch {
      throw .refused(error)
    }
    do throws(StorageError) { try environment.save(next) } catch { throw .notSaved(error) }
    state = next
  }
}
