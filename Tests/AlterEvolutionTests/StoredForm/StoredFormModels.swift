#if Macros
  import Alter
  import Foundation
  import FuzzTargets

  // Models of all kinds, whose stored form the macros generate.

  @Alterable struct StoredTask: Identifiable, Hashable {
    let id: UUID
    let text: String
    @Default(false) let done: Bool
    @Renamed(from: "deadline") let due: Date?
    @Default(3) @Renamed(from: "rank", "grade") let priority: Int
    @Default(7) let limit: Int?
    let ratio: Double?
    let labels: [String]
    let size: Float
    let amount: Decimal
    @Stamped let altered: Date?
  }

  @Alterable struct StoredStyle: Hashable {
    @Default("light") let theme: String
    let `default`: Int?
    let größe: UInt8?
  }

  typealias MaybeInt = Int?

  /// Optionals that are not written as such, and other properties that only a hand-written struct can have.
  @Wire struct StoredPlace: Hashable, Sendable {
    @Default(5) var level: MaybeInt
    var plain: MaybeInt
    private(set) var name: String = ""
    var height: Float? = 0
    @Renamed(from: "tag") @Default([]) var tags: [String]
    var amount: Decimal?
  }

  /// The first name ends with the sign of the unit Kelvin, U+212A.
  @Alterable struct StoredTemperature: Hashable {
    let inK: Int?
    let z: Int?
  }

  @Alterable struct StoredBoard: Hashable {
    @Each(.add, .put, .update, .remove, .move, .replace) @Renamed(from: "items", each: "item") let tasks: IdentityArray<StoredTask>
    @Default(constant: StoredStyle()) @Nested let style: StoredStyle
    let gate: StoredGate
    let box: StoredBox<String>
    let counts: [String: Int]

    enum OwnChange: Hashable {
      case cleared
      case scaled(by: Double, from: Date?)
      case merged(into: String, by: String?)
      case other(OnlyCodable?)
    }

    mutating func apply(_ change: OwnChange, at stamp: Stamp) {}
  }

  @Alterable enum StoredGate: Hashable {
    case open, closed(Int)
    @Renamed(from: "sealed") case locked(key: String, by: Int?)
    indirect case both(left: StoredGate, right: StoredGate)

    enum OwnChange: Hashable { case toggle }
    mutating func apply(_ change: OwnChange, at stamp: Stamp) {}
  }

  @Alterable struct StoredBox<Value: Hashable & Codable & Sendable>: Hashable {
    let value: Value
    let others: [Value]
    let last: Value?
  }

  @Wire enum StoredCommand: Hashable, Sendable {
    case nothing, text(String)
    @Renamed(from: "colour", "tint") case color(red: UInt8, green: UInt8?, alpha: Double)
    case task(UUID, StoredTask.Change)
    case range(Range<Int>)
    case move(UUID, to: Int)
  }

  extension StoredFormSample {
    /// The models.
    static var models: [StoredFormSample] {
      [
        .init { $0.task() }, .init { $0.task() }, .init { random in random.array { $0.task() } }, .init { $0.board() },
        .init { random in random.array { $0.boardChange() } }, .init { random in random.array { $0.boardChange() } }, .init { $0.gate() },
        .init { StoredStyle(theme: $0.string(), default: $0.optional { $0.integer() }, größe: $0.optional { $0.integer() }) },
        .init { random in random.array { $0.command() } }, .init { random in random.array { $0.place() } },
        .init { random in random.array { $0.arrayChange() } },
        .init {
          Cause(
            answers: $0.optional { EntryID(origin: Origin($0.uuid()), sequence: $0.integer()) }, feedback: $0.optional { $0.string() },
            request: $0.optional { $0.string() }, depth: $0.optional { $0.integer() })
        },
        .init { Entry.Targets($0.array { EntryID(origin: Origin($0.uuid()), sequence: $0.integer()) }) },
      ]
    }
  }

  extension ValueGenerator {
    mutating func task() -> StoredTask {
      StoredTask(
        id: uuid(), text: string(), done: bool(), due: optional { $0.date() }, priority: integer(), limit: optional { $0.integer() },
        ratio: optional { $0.double() }, labels: array { $0.string() }, size: float(), amount: Decimal(integer() as Int32) / 100,
        altered: optional { $0.date() })
    }

    mutating func taskChange() -> StoredTask.Change {
      switch int(below: 6) {
      case 0: .text(string())
      case 1: .done(bool())
      case 2: .due(optional { $0.date() })
      case 3: .labels(array { $0.string() })
      case 4: .amount(Decimal(integer() as Int32) / 100)
      default: .limit(optional { $0.integer() })
      }
    }

    mutating func gate(_ depth: Int = 0) -> StoredGate {
      switch int(below: depth > 3 ? 3 : 4) {
      case 0: .open
      case 1: .closed(integer())
      case 2: .locked(key: string(), by: optional { $0.integer() })
      default: .both(left: gate(depth + 1), right: gate(depth + 1))
      }
    }

    mutating func board() -> StoredBoard {
      StoredBoard(
        tasks: IdentityArray(array { $0.task() }), style: StoredStyle(theme: string(), default: optional { $0.integer() }), gate: gate(),
        box: StoredBox(value: string(), others: array { $0.string() }, last: optional { $0.string() }),
        counts: Dictionary(array { ($0.string(), $0.integer()) }) { $1 })
    }

    mutating func boardChange() -> StoredBoard.Change {
      switch int(below: 13) {
      case 0: .add(.task(task()))
      case 1: .put(.task(task()))
      case 2: .remove(.task(uuid()))
      case 3: .move(.task(uuid(), to: integer()))
      case 4: .replace(.tasks(IdentityArray(array { $0.task() })))
      case 5: .task(uuid(), taskChange())
      case 6: .style(.default(optional { $0.integer() }))
      case 7: .gate(gate())
      case 8: .cleared
      case 9: .scaled(by: double(), from: optional { $0.date() })
      case 10: .other(optional { OnlyCodable(text: $0.string(), inner: [[$0.integer()]], range: 0..<1) })
      case 11: .counts([string(): integer()])
      default: .task(uuid(), taskChange())
      }
    }

    mutating func command() -> StoredCommand {
      switch int(below: 6) {
      case 0: .nothing
      case 1: .text(string())
      case 2: .color(red: integer(), green: optional { $0.integer() }, alpha: double())
      case 3: .task(uuid(), taskChange())
      case 4: .range(-3..<int(below: 100))
      default: .move(uuid(), to: integer())
      }
    }

    mutating func place() -> StoredPlace {
      StoredPlace(
        level: optional { $0.integer() }, plain: optional { $0.integer() }, name: string(), height: optional { $0.float() },
        tags: array { $0.string() }, amount: optional { Decimal($0.integer() as Int32) })
    }

    mutating func arrayChange() -> IdentityArray<StoredTask>.Change {
      switch int(below: 7) {
      case 0: .put(task())
      case 1: .add(task(), at: optional { $0.integer() })
      case 2: .update(task())
      case 3: .remove(uuid())
      case 4: .move(uuid(), to: integer())
      case 5: .replace(IdentityArray(array { $0.task() }))
      default: .element(uuid(), taskChange())
      }
    }
  }
#endif
