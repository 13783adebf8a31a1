import Foundation
import SimulatedThreads

/// Runs the real `Store` in schedules that seeds decide, and checks its laws after every step.
///
///     store-simulation --seconds 20            as many schedules as fit
///     store-simulation --steps 100000 --seed 7 as many schedules as necessary, from this seed on
///     store-simulation --twice --steps 10000   runs each schedule twice and compares their traces
///     store-simulation --law values            checks only this law
///     store-simulation --theme closing         schedules of one kind
///     store-simulation --refuses-first         a model that refuses changes before it modifies anything
///     store-simulation --talk                  prints every event
@main
enum StoreSimulation {
  static func main() {
    guard simulation_is_possible() == 1 else {
      print("skipped: the runtime's jobs can be taken on Linux only, and not under a sanitizer")
      return
    }
    simulation_hash_alike(CommandLine.unsafeArgv)
    let options = Options(CommandLine.arguments.dropFirst())
    World.laws = options.laws
    World.isTalkative = options.isTalkative
    Bank.refusesFirst = options.refusesFirst
    // Computed once in a process, under a lock: it must not be part of the first schedule alone.
    _ = Bank.form
    simulation_begin()
    let start = ContinuousClock.now
    var (schedules, seed) = (0, options.seed)
    while options.steps.map({ simulation_steps() < $0 }) ?? (ContinuousClock.now - start < .seconds(options.seconds)) {
      let trace = run(seed)
      if options.isTwice, run(seed) != trace {
        print("FAILED determinism: two runs of seed \(seed) differ")
        exit(1)
      }
      schedules += 1
      seed += 1
    }
    let counts = Event.allCases.map { "\($0.rawValue) \(World.counts[$0, default: 0])" }.joined(separator: ", ")
    print("\(simulation_steps()) steps, \(simulation_hand_overs()) hand-overs, \(schedules) schedules, seeds \(options.seed)..<\(seed)")
    print("counted: \(counts)")
    let missing = Event.allCases.filter { World.counts[$0, default: 0] == 0 && !Event.rare.contains($0) }
    guard options.seconds >= 20, !missing.isEmpty else { return }
    print("FAILED coverage: never happened: \(missing.map(\.rawValue).joined(separator: ", "))")
    exit(1)
  }

  /// Runs one schedule.
  ///
  /// - Returns: The hash of all decisions.
  private static func run(_ seed: UInt64) -> UInt64 {
    let plan = Plan(seed: seed)
    let world = World(plan)
    World.current = world
    if World.isTalkative { print(plan) }
    world.begin()
    simulation_run(plan.settings, { World.current.afterStep() }, { World.current.rest() ? 1 : 0 })
    if world.phase != .ended { world.fail(.hang, "the schedule has ended in the middle") }
    return simulation_trace()
  }
}

/// The command line.
struct Options {
  var seconds = 5.0
  var steps: Int64?
  var seed: UInt64 = 1
  var laws = Set(Law.allCases)
  var isTwice = false
  var isTalkative = false
  var refusesFirst = false

  init(_ arguments: some Sequence<String>) {
    var chosen: Set<Law> = []
    var rest = Array(arguments)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--seconds": seconds = Self.value(of: word, rest.popFirst().flatMap(Double.init))
      case "--steps": steps = Self.value(of: word, rest.popFirst().flatMap { Int64($0) })
      case "--seed": seed = Self.value(of: word, rest.popFirst().flatMap { UInt64($0) })
      case "--law": chosen.insert(Self.value(of: word, rest.popFirst().flatMap { Law(rawValue: $0) }))
      case "--theme": Plan.onlyTheme = Self.value(of: word, rest.popFirst().flatMap { Plan.Theme(rawValue: $0) })
      case "--twice": isTwice = true
      case "--talk": isTalkative = true
      case "--refuses-first": refusesFirst = true
      default: Self.refuse(word)
      }
    }
    if !chosen.isEmpty { laws = chosen }
  }

  private static func value<Value>(of word: String, _ value: Value?) -> Value { value ?? { refuse(word) }() }

  private static func refuse(_ word: String) -> Never {
    print("store-simulation: '\(word)' is not understood. Usage: store-simulation --seconds N | --steps N [--seed S]")
    exit(2)
  }
}
