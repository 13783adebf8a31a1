public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The dependencies of a timer without a journal, one closure each, as in the original article.
public struct FastingEnvironment: Sendable {
  /// Reads the saved state; nil if none was saved.
  public var load: @Sendable () async throws(StorageError) -> FastingState?
  /// Saves a state and replaces the previous one.
  public var save: @Sendable (FastingState) async throws(StorageError) -> Void
  /// The current time.
  public var now: @Sendable () -> Date

  /// An environment with the given closures.
  public init(
    load: @escaping @Sendable () async throws(StorageError) -> FastingState?,
    save: @escaping @Sendable (FastingState) async throws(StorageError) -> Void,
    now: @escaping @Sendable () -> Date
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

/// An imperative shell for the same core, without a journal: the one object that holds the value, and loads, changes and saves it.
///
/// A store does all of this, and more. With this shell, two processes on one file overwrite each other's changes, each save writes the
/// whole state, the history is lost, and undo is impossible.
public actor EnvironmentTimer {
  /// The reason why a change was not made.
  public enum Failure: Error, Hashable, CustomStringConvertible {
    case refused(Refusal)
    case notSaved(StorageError)

    /// The message.
    public var description: String {
      switch self {
      case .refused(let refusal): "The change was refused: \(refusal)"
      case .notSaved(let error): "The change was not made, because it was not saved: \(error)"
      }
    }
  }

  /// The state that was saved last.
  public private(set) var state: FastingState
  private let environment: FastingEnvironment
  /// The change that was sent last. It ends after all earlier ones.
  private var last: Task<Result<Void, Failure>, Never>?

  /// Loads the saved state.
  ///
  /// - Throws: The error of `load`. The timer does not fall back to an empty state, because the next save would overwrite the unreadable
  ///   file.
  public init(in environment: FastingEnvironment) async throws(StorageError) {
    self.environment = environment
    state = try await environment.load() ?? FastingState()
  }

  /// Makes a change at the present time and saves the state. If saving fails, the change is not made.
  ///
  /// While a save is in progress, the actor accepts other calls. A change that is sent meanwhile waits, because it must begin with the
  /// saved state: otherwise both changes would begin with the same state, and the later save would undo the earlier one.
  public func send(_ change: FastingState.Change) async throws(Failure) {
    let (previous, now) = (last, environment.now())
    let task = Task {
      _ = await previous?.value
      return await make(change, at: now)
    }
    last = task
    try await task.value.get()
  }

  private func make(_ change: FastingState.Change, at now: Date) async -> Result<Void, Failure> {
    do throws(Refusal) {
      let next = try state.alter(change, at: now)
      do throws(StorageError) { try await environment.save(next) } catch { return .failure(.notSaved(error)) }
      state = next
      return .success(())
    } catch {
      return .failure(.refused(error))
    }
  }
}
