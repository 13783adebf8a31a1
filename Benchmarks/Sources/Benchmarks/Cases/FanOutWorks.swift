import Alter
import Foundation

// Many observers of one store. Each follows another part of the state, and a change alters one part.

/// A state of a thousand numbers.
struct Dials: Alterable {
  enum Change: Sendable { case set(Int, Int) }

  private(set) var values = [Int](repeating: 0, count: 1_000)

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .set(let place, let value): values[place] = value
    }
  }
}

/// A store with a task for each followed part.
private final class Followed: @unchecked Sendable {
  let store = Store(Dials())
  private var tasks: [Task<Void, Never>] = []
  private let seen = NSCondition()
  /// Guarded by `seen`.
  private var last = -1

  init(followers: Int) {
    for place in 0..<followers {
      let values = store.values(of: { $0.values[place] })
      tasks.append(
        Task.detached { [weak self] in
          for await value in values { self?.note(value) }
        })
    }
    // Each observer has received its first value, so that only changes are measured.
    for place in 0..<followers { change(place, 1 + place) }
  }

  deinit { for task in tasks { task.cancel() } }

  private func note(_ value: Int) {
    seen.withLock {
      last = max(last, value)
      seen.signal()
    }
  }

  /// Changes one part, and waits until its observer has received the value.
  func change(_ place: Int, _ value: Int) {
    _ = try? store.change(.set(place, value))
    seen.withLock {
      while last < value { seen.wait() }
    }
  }
}

func fanOutWorks(_ options: Options) -> [Work] {
  [1, 100, 1_000].map { followers in
    Work("a change that one of n sees", followers) {
      let one = Followed(followers: 1)
      let many = Followed(followers: followers)
      func contender(_ name: String, _ followed: Followed, _ followers: Int) -> Contender {
        Contender(name, state: 2_000) { count in
          count &+= 1
          followed.change(count % followers, count)
          return count
        }
      }
      return [contender("Alter", many, followers), contender("one of one", one, 1)]
    }
  }
}
