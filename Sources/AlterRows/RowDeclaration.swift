import AlterCore
import AlterJournal

/// The form of tables, as it is kept beside them.
package struct RowDeclaration: Encodable {
  let tables: [String]
  let statements: [String]
  /// A state of another schema or form may have other values at the same place.
  let schema: Int?
  let form: Int64

  /// - Parameters:
  ///   - state: The type of the state; nil for the tables alone.
  ///   - tables: The names of the tables.
  ///   - statements: The statements that create them.
  package init(of state: (any Alterable.Type)?, tables: [String], statements: [String]) {
    (self.tables, self.statements) = (tables, statements)
    schema = (state as? any Journaled.Type)?.schema.version
    form = state.map { StoredFormDescription.fingerprint(of: [$0]) } ?? 0
  }

  /// The text in the column `declaration`.
  package var text: String { get throws { String(decoding: try JournalCoding.encode(self), as: UTF8.self) } }
}

extension RowTable {
  /// The largest number of steps of one list by which rows are moved. Beyond it, all rows are made again.
  package static func limit(of tables: [RowTable], in state: State) -> Int {
    max(1_000, tables.reduce(0) { $0 + $1.source.size(of: state) } / 2)
  }
}
