import Alter
import Foundation

// Many observers of one store. Each follows another part of the state, and a change alters one part.

/// A dial with a number.
struct Dial: Identifiable, Equatable, Sendable {
  let id: Int
  var value = 0
}

/// A state of a thousand dials.
struct Dials: Alterable {
  enum Change: Sendable { case set(Int, Int) }

  private(set) var values = IdentityArray((0..<1_000).map { Dial(id: $0) })

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .set(let place, let value): values.put(Dial(id: place, value: value))
    }
  }
}

/// How an observer names the part that it follows.
private enum Following {
  /// A closure, which the store must call to learn whether its value differs.
  case closure
  /// A property and an id, which tell the store the part that the value depends on.
  case declared
}

/// A store with a task for each followed part.
private final class Followed: @unchecked Sendable {
  let store = Store(Dials())
  private var tasks: [Task<Void, Never>] = []
  private let seen = NSCondition()
  /// Guarded by `seen`.
  private var last = -1

  init(followers: Int, _ following: Following) {
    for place in 0..<followers {
      let values =
        switch following {
        case .closure: store.values(of: { $0.values[id: place] })
        case .declared: store.values(from: \.values, id: place)
        }
      tasks.append(
        Task.detached { [weak self] in
          for await dial in values { self?.note(dial?.value ?? 0) }
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

/// Stores with one observer each, which change in turn: when one changes, its observer has gone to sleep, as that of one among many has.
private final class FollowedInTurn: @unchecked Sendable {
  private let stores: [Followed]

  init(_ following: Following) { stores = (0..<16).map { _ in Followed(followers: 1, following) } }

  func change(_ value: Int) { stores[value % stores.count].change(0, value) }
}

/// Makes changes that one of some observers sees, for a profiler: `valgrind --tool=callgrind Benchmarks --observers 1000 10000`. With 0 observers the
/// changes are those of stores with one observer, in turn.
func runObservers(_ observers: Int, changes: Int) {
  let many = observers > 0 ? Followed(followers: observers, .declared) : nil
  let asleep = many == nil ? FollowedInTurn(.declared) : nil
  for number in 0..<changes {
    many?.change(number % observers, 2_000 + number)
    asleep?.change(2_000 + number)
  }
}

func fanOutWorks(_ options: Options) -> [Work] {
  let clocks: [(suffix: String, clock: BenchmarkClock)] = [("", .wall), (", processor time", .allProcessors)]
  return [1, 100, 1_000].flatMap { followers in
    [(Following.declared, "a change that one of n sees"), (.closure, "the same, through closures")].flatMap { following, name in
      clocks.map { suffix, clock in
        let goals: [String: Goal] = followers == 1_000 && following == .declared ? ["one of one": .ratio(atMost: 2)] : [:]
        return Work(name + suffix, followers, goals: goals) {
          let one = Followed(followers: 1, following)
          let asleep = FollowedInTurn(following)
          let many = Followed(followers: followers, following)
          func contender(_ name: String, _ change: @escaping (Int) -> Void) -> Contender {
            Contender(name, state: 2_000) { count in
              count &+= 1
              change(count)
              return count
            }
          }
          return [
            contender("Alter") { many.change($0 % followers, $0) }, contender("one of one") { one.change(0, $0) },
            contender("one of one, asleep") { asleep.change($0) },
          ]
        }.timed(by: clock)
      }
    }
  }
}
