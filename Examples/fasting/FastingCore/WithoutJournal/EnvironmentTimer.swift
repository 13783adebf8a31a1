public import Alter

/// The dependencies of a timer without a journal, one closure each, as in the original article.
public struct FastingEnvironment: Sendable {
  /// Reads the saved state; nil if none was saved.
  public var load: @Sendable () throws(StorageError) -> FastingState?
  /// Saves a state and replaces the previous one.
  public var save: @Sendable (FastingState) throws(StorageError) -> Void
  /// The current time, in microseconds since 1970 UTC.
  public var now: @Sendable () -> Int64

  /// An environment with the given closures.
  public init(
    load: @escaping @Sendable () throws(StorageError) -> FastingState?,
    save: @escaping @Sendable (FastingState) throws(StorageError) -> Void,
    now: @escaping @Sendable () -> Int64
  ) {
    (self.load, self.save, self.now) = (load, save, now)
  }
}

/// The reason why a state could not be read or saved.
public struct StorageError: Error, Hashable, CustomStringConvertible {
  /// The message.
  public let description: String

  /// An error with a message.
  public init(_ description: String) { self.description = description }
}

/// An imperative shell for the same core, without a journal: it loads, changes and saves.
///
/// A store does all of this, and more. With this shell, two processes on one file overwrite each other's changes, each save writes the
/// whole state, the history is lost, and undo is impossible.
public struct EnvironmentTimer: Sendable {
  /// The reason why a change was not made.
  public enum Failure: Error, Hashable {
    case refused(Refusal)
    case notSaved(StorageError)
  }

  /// The state that was saved last.
  public private(set) var state: FastingState
  private let environment: FastingEnvironment

  /// Loads the saved state.
  ///
  /// - Throws: The error of `load`. The timer does not fall back to an empty state, because the next save would overwrite the unreadable
  ///   file.
  public init(in environment: FastingEnvironment) throws(StorageError) {
    self.environment = environment
    state = try environment.load() ?? FastingState()
  }

  /// Makes a change and saves the state. If saving fails, the change is not made.
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
