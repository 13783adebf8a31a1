import Alter

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FastingState {
  /// Schema 2: times, which were numbers of microseconds since 1970 UTC, became dates. Changes contain no times.
  public static var schema: StateSchema {
    StateSchema(version: 2, migrations: [Migration(from: 1, to: 2, state: withDates)])
  }

  /// Returns a stored state with its numbers converted to dates. A state of the present schema is returned unchanged.
  static func withDates(_ state: JSONValue) throws -> JSONValue {
    func date(_ value: JSONValue) throws -> JSONValue {
      guard case .integer(let time) = value else { return value }
      return try JSONValue(parsing: JournalCoding.encode(Date(microseconds: time)))
    }
    func fast(_ fast: JSONValue) throws -> JSONValue { try fast.converting("begin", date).converting("end", date) }
    return try state.converting("fasts") { try $0.mappingElements(fast) }.converting("phase") { phase in
      try phase.converting("fasting") { try $0.converting("since", date) }.converting("finished") { try $0.converting("_0", fast) }
    }
  }
}
