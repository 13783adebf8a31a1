import AlterCore
import FuzzTargets

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The kinds of values that the tests compare: standard types, and models.
struct StoredFormSample {
  /// Creates a random value, compares it in both directions, and its bytes with random modifications.
  let run: (inout ValueGenerator, inout StoredFormCheck) throws -> Void

  /// - Parameter make: Creates a random value.
  init<Value: StoredForm>(_ make: @escaping (inout ValueGenerator) -> Value) {
    run = { random, check in
      let bytes = try check(make(&random))
      for _ in 0..<2 { try check(Value.self, reading: random.mutated(bytes)) }
    }
  }

  /// The standard types.
  static var standard: [StoredFormSample] {
    [
      .init { $0.int(below: 2) == 0 }, .init { $0.integer() as Int }, .init { $0.integer() as Int8 }, .init { $0.integer() as Int16 },
      .init { $0.integer() as Int32 }, .init { $0.integer() as Int64 }, .init { $0.integer() as UInt }, .init { $0.integer() as UInt8 },
      .init { $0.integer() as UInt16 }, .init { $0.integer() as UInt32 }, .init { $0.integer() as UInt64 }, .init { $0.double() },
      .init { $0.double() }, .init { $0.float() }, .init { $0.string() }, .init { $0.string() }, .init { $0.date() }, .init { $0.date() },
      .init { $0.uuid() }, .init { $0.data() }, .init { $0.url() }, .init { $0.optional { $0.double() } },
      .init { $0.array { $0.string() } },
      .init { $0.array { $0.integer() as Int } }, .init { $0.array { $0.double() } }, .init { $0.array { $0.float() } },
      .init { $0.array { $0.integer() as UInt8 } }, .init { $0.array { $0.array { $0.date() } } },
      .init { $0.array { $0.optional { $0.string() } } },
      .init { Set($0.array { $0.string() }) }, .init { Dictionary($0.array { ($0.string(), $0.double()) }) { $1 } },
      .init { Dictionary($0.array { ($0.integer() as Int, $0.optional { $0.string() }) }) { $1 } },
      .init { Dictionary($0.array { (Identifier<Int, String>($0.string()), $0.bool()) }) { $1 } },
      .init { Identifier<Int, UUID>($0.uuid()) }, .init { Origin($0.uuid()) }, .init { Revision($0.integer()) },
      .init { WithFallback(random: &$0) },
    ]
  }
}

extension ValueGenerator {
  mutating func bool() -> Bool { int(below: 2) == 0 }
}

extension WithFallback {
  init(random: inout ValueGenerator) {
    func other(_ random: inout ValueGenerator) -> OnlyCodable {
      OnlyCodable(text: random.string(), inner: random.array { $0.array { $0.integer() } }, range: 1..<3)
    }
    self.init(
      amount: Decimal(random.integer() as Int64) / 1000, colour: [.red, .green, nil][random.int(below: 3)], other: random.optional(other),
      others: random.array(other), zone: random.string())
  }
}
