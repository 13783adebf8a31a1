public import Alter
public import Observation

/// The shell of the timer for SwiftUI: the one object that opens the store. A view calls ``load()`` in `.task`.
@MainActor @Observable
public final class TimerModel {
  /// The phases of the opening, which exclude each other.
  public enum Phase {
    /// The journal is being read.
    case loading
    /// The journal can't be read. An empty timer in its place would hide the running fast.
    case failed(JournalError)
    /// The timer is ready.
    case open(Store<FastingState>)
  }

  /// The phase.
  public private(set) var phase = Phase.loading
  @ObservationIgnored private let place: JournalPlace
  @ObservationIgnored private var isLoading = false

  /// Creates the object; nothing is read yet.
  ///
  /// - Parameter place: The location of the journal.
  public init(in place: JournalPlace) { self.place = place }

  /// Opens the store, and does nothing if it is open or being opened: a view that appears again calls this method again.
  public func load() async {
    if case .open = phase { return }
    guard !isLoading else { return }
    isLoading = true
    defer { isLoading = false }
    phase = .loading
    do throws(JournalError) {
      phase = .open(try await Store.open(FastingState(), in: place))
    } catch {
      phase = .failed(error)
    }
  }
}
