import AlterCore
import AlterJournal
import AlterStore
import Testing

@testable import AlterSwiftUI

@MainActor
@Suite("The opening of a store in a view") struct OpeningTests {
  private let opener = Opener()
  private let opening = Opening<Store<Shelf>>()
  private let locked = JournalError(.locked, journal: "books", message: "is locked. Close the other app, and try again.")

  @Test("happens once for the life of the view, also if it disappears meanwhile and returns") func once() async {
    let first = appear()
    await opener.begun(1)
    #expect(opening.isLoading)
    // SwiftUI cancels the task of a view that disappears.
    first.cancel()
    let second = appear()
    let store = Store(Shelf())
    opener.answer(.success(store))
    await first.value
    await second.value
    #expect(opening.opened === store)
    await appear().value
    #expect(opening.opened === store && opener.count == 1)
  }

  @Test("shows its failure, and opens again at the user's wish") func failure() async {
    let first = appear()
    await opener.begun(1)
    opener.answer(.failure(locked))
    await first.value
    #expect(opening.failure == locked && opening.attempt == 0)
    // A view that returns shows the same failure.
    await appear().value
    #expect(opening.failure == locked && opener.count == 1)
    opening.retry()
    #expect(opening.isLoading && opening.attempt == 1)
    let second = appear()
    await opener.begun(2)
    let store = Store(Shelf())
    opener.answer(.success(store))
    await second.value
    #expect(opening.opened === store && opener.count == 2)
  }

  @Test("opens one store for several attempts after one failure, and none for an attempt that is late") func impatience() async {
    let first = appear()
    await opener.begun(1)
    opener.answer(.failure(locked))
    await first.value
    opening.retry()
    opening.retry()
    #expect(opening.attempt == 1)
    let second = appear()
    await opener.begun(2)
    opening.retry()
    opener.answer(.success(Store(Shelf())))
    await second.value
    // A timer of the failure's view that fires too late.
    opening.retry()
    #expect(opening.opened != nil && opening.attempt == 1)
    await appear().value
    #expect(opener.count == 2)
  }

  @Test("shows no result of an attempt that another one has followed") func late() async {
    // Two runs of one attempt. The user reacts to the result of the one that ends first, before the other one ends.
    let runs = (0..<2).map { _ in
      Task {
        await opening.load { try await opener.open() }
        opening.retry()
      }
    }
    await opener.begun(1)
    opener.answer(.failure(locked))
    for run in runs { await run.value }
    #expect(opening.isLoading && opening.attempt == 1)
    let next = appear()
    await opener.begun(2)
    opener.answer(.success(Store(Shelf())))
    await next.value
    #expect(opening.opened != nil)
  }

  @Test("releases the store of a view that was closed meanwhile") func closed() async {
    var opening: Opening<Store<Shelf>>? = Opening()
    let appearance = Task { [opening, opener] in await opening?.load { try await opener.open() } }
    await opener.begun(1)
    appearance.cancel()
    opening = nil
    weak var opened: Store<Shelf>?
    do {
      let store = Store(Shelf())
      opened = store
      opener.answer(.success(store))
    }
    while opened != nil { await Task.yield() }
  }

  /// The task of a view that appears.
  private func appear() -> Task<Void, Never> { Task { await opening.load { try await opener.open() } } }
}

extension Opening {
  fileprivate var isLoading: Bool { if case .loading = phase { true } else { false } }
  fileprivate var failure: JournalError? { if case .failed(let error) = phase { error as? JournalError } else { nil } }
  fileprivate var opened: Opened? { if case .open(let opened) = phase { opened } else { nil } }
}

/// Opens stores when the test says so.
@MainActor
private final class Opener {
  private(set) var count = 0
  private var waiting: [CheckedContinuation<Store<Shelf>, any Error>] = []

  func open() async throws -> Store<Shelf> {
    count += 1
    return try await withCheckedThrowingContinuation { waiting.append($0) }
  }

  func begun(_ count: Int) async {
    while self.count < count { await Task.yield() }
  }

  func answer(_ result: Result<Store<Shelf>, any Error>) { waiting.removeFirst().resume(with: result) }
}
