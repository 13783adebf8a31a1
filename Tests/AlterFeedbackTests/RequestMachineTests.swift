import Alter
import Testing

@testable import AlterFeedback

@Suite("The machine of one request")
struct RequestMachineTests {
  /// A request that reads, or acts: the id is then the text's first letter.
  private struct Asking: Acting { let id: RequestID; let text: String }
  private typealias Acts = RequestMachine<Asking>

  /// The phases from which each event is tried, and how to get there.
  private static let phases: [(name: String, path: [String])] = [
    ("idle", []),
    ("open", ["look a"]),
    ("pausing", ["look a", "go", "threw"]),
    ("running", ["look a", "go"]),
    ("running, asks b", ["look a", "go", "look b"]),
    ("running, asks none", ["look a", "go", "look -"]),
    ("settling", ["look a", "go", "returned"]),
    ("settling, asks b", ["look a", "go", "returned", "look b"]),
    ("settling, asks none", ["look a", "go", "returned", "look -"]),
    ("stuck", ["look a", "go", "returned", "made"]),
    ("stuck by rounds", ["look a at 5"]),
  ]

  private static let events = [
    "look a", "look b", "look -", "look b at 5", "go", "due", "returned", "threw", "threw unsent", "threw the last", "made", "refused",
    "unasked", "no lease", "lost", "retry",
  ]

  /// Passes an event to a machine.
  private static func send<Request>(
    _ event: String, to machine: inout RequestMachine<Request>, _ request: (String) -> Request
  ) -> [RequestMachine<Request>.Action] {
    func asked(_ text: String, _ depth: Int = 0) -> RequestMachine<Request>.Asked {
      RequestMachine.Asked(request(text), cause: nil, depth: depth, since: 0, order: 0)
    }
    switch event {
    case "look -": return machine.look(nil)
    case "look a again":
      return machine.look(RequestMachine<Request>.Asked(request("a"), cause: nil, depth: 0, since: 0, order: 1))
    case "look - for a": return machine.look(nil, answered: RequestID(named: "a").description)
    case "look - for b": return machine.look(nil, answered: RequestID(named: "b").description)
    case "look a at 5": return machine.look(asked("a", 5))
    case "look b at 5": return machine.look(asked("b", 5))
    case "go": return machine.go(1)
    case "due", "due twice":
      machine.due(event == "due" ? 1 : 0)
      return []
    case "returned": return machine.returned(1)
    case "threw": return machine.threw(1, "error")
    case "threw unsent": return machine.threw(1, "error", isUnsent: true)
    case "threw the last": return machine.threw(1, "error", isLast: true)
    case "made": return machine.made(1)
    case "refused": return machine.notMade(1, .refused("why"))
    case "unasked": return machine.notMade(1, .unasked)
    case "no lease": return machine.notMade(1, .lost)
    case "lost": return machine.lost()
    case "retry": return machine.retry()
    default: return machine.look(asked(String(event.dropFirst(5))))
    }
  }

  /// A cell of the table as text: the actions, and the phase afterwards with its request.
  private static func cell<Request>(
    _ path: [String], _ event: String, _ rules: RequestMachine<Request>.Rules, _ request: (String) -> Request, text: (Request) -> String
  ) -> String {
    var machine = RequestMachine<Request>(rules)
    for event in path { _ = send(event, to: &machine, request) }
    let actions = send(event, to: &machine, request).map { action in
      switch action {
      case .cancel: "cancel"
      case .pause(_, let attempt, _): "pause \(attempt)"
      case .report(.stuck(let why)): "report \("\(why)".prefix { $0 != "(" })"
      case .report(.unclaimed): "report unclaimed"
      case .report(.withdrawn): "report withdrawn"
      case .report(.impossible): "×"
      }
    }
    let status =
      switch machine.phase {
      case .idle: "idle"
      case .open(_, _, nil): "open"
      case .open(_, let attempts, _): "pausing \(attempts)"
      case .running: "running"
      case .settling: "settling"
      case .stuck: "stuck"
      }
    return (actions + [status + (machine.present.map { " \(text($0.request))" } ?? "")]).joined(separator: ", ")
  }

  /// The table of a machine, without the cells in which nothing happens, and without those that are impossible.
  private static func table<Request>(
    _ rules: RequestMachine<Request>.Rules, _ request: (String) -> Request, text: (Request) -> String
  ) -> [String] {
    phases.flatMap { phase in
      let unchanged = cell(phase.path, "due twice", rules, request, text: text)
      return events.compactMap { event in
        let cell = cell(phase.path, event, rules, request, text: text)
        // An impossible event changes nothing.
        return cell == unchanged || cell == "×, \(unchanged)" ? nil : "\(phase.name) | \(event) | \(cell)"
      }
    }
  }

  private static func asking(_ text: String) -> Asking { Asking(id: RequestID(named: text), text: text) }

  private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  @Test("has the transitions of the table, for a request that reads and for one that acts")
  func table() {
    #expect(Self.table(.init(), { $0 }, text: \.self) == Self.lines(Self.reading))
    let acting = Self.table(Acts.Rules(isActing: true), Self.asking, text: \.text)
    #expect(acting.filter { !Self.lines(Self.reading).contains($0) } == Self.lines(Self.acting))
    #expect(acting.count == Self.lines(Self.reading).count - 1)
  }

  @Test("reports an event that cannot be, and changes nothing", arguments: [false, true])
  func impossible(isActing: Bool) {
    let possible: [String: (String) -> Bool] = [
      "go": { $0 == "open" }, "returned": { $0.hasPrefix("running") }, "threw": { $0.hasPrefix("running") },
      "threw unsent": { $0.hasPrefix("running") },
      "threw the last": { $0.hasPrefix("running") }, "made": { $0.hasPrefix("settling") }, "refused": { $0.hasPrefix("settling") },
      "unasked": { $0.hasPrefix("settling") }, "no lease": { $0.hasPrefix("settling") },
    ]
    for phase in Self.phases {
      for event in Self.events {
        let cell = Self.cell(phase.path, event, Acts.Rules(isActing: isActing), Self.asking, text: \.text)
        #expect(cell.hasPrefix("×") == !(possible[event]?(phase.name) ?? true), "\(phase.name), \(event)")
      }
    }
  }

  @Test("ignores the end of an earlier performance")
  func otherNumber() {
    var machine = RequestMachine<String>(.init())
    _ = Self.send("look a", to: &machine) { $0 }
    _ = machine.go(7)
    #expect(machine.returned(1) == [.report(.impossible("returned while running"))])
    #expect(machine.returned(7) == [])
  }

  @Test("cancels for the latest request, and begins with it when the effect has ended")
  func latestWins() {
    let rules = RequestMachine<String>.Rules(latestWins: true)
    func cell(_ path: [String], _ event: String) -> String { Self.cell(path, event, rules, { $0 }, text: \.self) }
    #expect(cell(["look a", "go"], "look b") == "cancel, running a")
    #expect(cell(["look a", "go", "look b"], "look -") == "running a")
    #expect(cell(["look a", "go", "look b"], "threw") == "open b")
    // Asked for again after the cancellation, it begins without a pause.
    #expect(cell(["look a", "go", "look b", "look a"], "threw") == "open a")
  }

  @Test("gives up with the change of `unclear:`")
  func unclear() {
    let rules = RequestMachine<String>.Rules(hasUnclear: true)
    func cell(_ path: [String], _ event: String) -> String { Self.cell(path, event, rules, { $0 }, text: \.self) }
    #expect(cell(["look a", "go"], "threw the last") == "settling a")
    #expect(cell(["look a", "go", "threw the last", "look -"], "made") == "idle")
    #expect(cell(["look a", "go", "look b"], "threw the last") == "open b")
  }

  @Test("offers the result of an act whose request an entry of it has ended, and reports no loss if that is refused")
  func answered() {
    func cell(_ path: [String], _ event: String) -> String {
      Self.cell(path, event, Acts.Rules(isActing: true), Self.asking, text: \.text)
    }
    #expect(cell(["look a", "go", "look - for a"], "returned") == "settling a")
    #expect(cell(["look a", "go", "look - for a", "returned"], "made") == "idle")
    #expect(cell(["look a", "go", "look - for a", "returned"], "refused") == "idle")
    #expect(cell(["look a", "go", "look - for a", "returned"], "no lease") == "idle")
    #expect(cell(["look a", "go", "look - for a"], "threw") == "idle")
    #expect(cell(["look a", "go", "returned", "look - for a"], "refused") == "idle")
    #expect(cell(["look a", "go", "look - for b"], "returned") == "settling a")
  }

  @Test("begins the same request again if it has appeared again behind the answer")
  func askedAgain() {
    func cell(_ path: [String], _ event: String) -> String {
      Self.cell(path, event, RequestMachine<String>.Rules(), { $0 }, text: \.self)
    }
    #expect(cell(["look a", "go", "returned", "look -", "look a again"], "made") == "open a")
    #expect(cell(["look a", "go", "returned", "look a again"], "made") == "report answered, stuck a")
  }

  @Test("does not say that nothing was done if an earlier attempt may have acted")
  func unsent() {
    let path = ["look a", "go", "threw", "due", "go", "look -"]
    #expect(Self.cell(path, "threw unsent", Acts.Rules(isActing: true), Self.asking, text: \.text) == "report unclaimed, idle")
  }

  @Test("is stuck with an id that is not unique, on a journal")
  func notUnique() {
    var rules = Acts.Rules(isActing: true, needsUniqueID: true)
    func cell() -> String { Self.cell([], "look a", rules, { Asking(id: RequestID(.none), text: $0) }, text: \.text) }
    #expect(cell() == "report notUnique, stuck a")
    rules.needsUniqueID = false
    #expect(cell() == "open a")
  }

  private static let reading = """
    idle | look a | open a
    idle | look b | open b
    idle | look b at 5 | report rounds, stuck b
    open | look b | open b
    open | look - | idle
    open | look b at 5 | report rounds, stuck b
    open | go | running a
    pausing | look b | open b
    pausing | look - | idle
    pausing | look b at 5 | report rounds, stuck b
    pausing | due | open a
    running | look - | cancel, running a
    running | returned | settling a
    running | threw | pause 1, pausing 1 a
    running | threw unsent | pause 1, pausing 1 a
    running | threw the last | report unclear, stuck a
    running | lost | cancel, running a
    running, asks b | look - | cancel, running a
    running, asks b | returned | settling a
    running, asks b | threw | open b
    running, asks b | threw unsent | open b
    running, asks b | threw the last | open b
    running, asks b | lost | cancel, running a
    running, asks none | returned | settling a
    running, asks none | threw | idle
    running, asks none | threw unsent | idle
    running, asks none | threw the last | idle
    settling | made | report answered, stuck a
    settling | refused | report refused, stuck a
    settling | unasked | pause 1, pausing 1 a
    settling | no lease | open a
    settling, asks b | made | open b
    settling, asks b | refused | open b
    settling, asks b | unasked | open b
    settling, asks b | no lease | open b
    settling, asks none | made | idle
    settling, asks none | refused | idle
    settling, asks none | unasked | idle
    settling, asks none | no lease | idle
    stuck | look b | open b
    stuck | look - | idle
    stuck | look b at 5 | report rounds, stuck b
    stuck | retry | open a
    stuck by rounds | look a | open a
    stuck by rounds | look b | open b
    stuck by rounds | look - | idle
    stuck by rounds | look b at 5 | report rounds, stuck b
    stuck by rounds | retry | open a
    """

  private static let acting = """
    pausing | look b | report unclaimed, open b
    pausing | look - | report unclaimed, idle
    pausing | look b at 5 | report unclaimed, report rounds, stuck b
    running, asks b | threw | report unclaimed, open b
    running, asks b | threw unsent | report withdrawn, open b
    running, asks b | threw the last | report unclaimed, open b
    running, asks none | threw | report unclaimed, idle
    running, asks none | threw unsent | report withdrawn, idle
    running, asks none | threw the last | report unclaimed, idle
    running, asks none | lost | cancel, running a
    settling, asks b | refused | report unclaimed, open b
    settling, asks b | unasked | report unclaimed, open b
    settling, asks b | no lease | report unclaimed, open b
    settling, asks none | refused | report unclaimed, idle
    settling, asks none | unasked | report unclaimed, idle
    settling, asks none | no lease | report unclaimed, idle
    """
}
