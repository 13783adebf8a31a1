import AlterCollections
import AlterCore

/// A row as it is written.
package struct EncodedRow: Sendable {
  var parent: RowValue?
  let id: RowValue
  package let values: [RowValue]

  /// The values that address the row.
  package var key: [RowValue] { (parent.map { [$0] } ?? []) + [id] }
}

/// One ordered list of rows, and the steps that lead to it from an older version.
package struct RowList {
  package enum Step {
    case removed(EncodedRow)
    case updated(from: EncodedRow, to: EncodedRow)
    case inserted(EncodedRow, at: Int)
    case moved(at: Int)
  }

  /// The steps: removals first, the others in the order of the newer version.
  package let steps: [Step]
  /// The number of rows of the newer version.
  package let count: Int
  /// Returns the key of the row at an index of the newer version.
  package let key: (Int) throws -> [RowValue]
}

/// The stored rows are not those that a difference begins with, or too many of them differ. They are made again.
package struct RowsAreForeign: Error {
  package init() {}
}

/// The rows that a table shows of a state.
package protocol RowSource<State>: Sendable {
  associatedtype State: Sendable

  /// The same rows, in the form of another database.
  func written(in form: RowForm) -> any RowSource<State>

  /// The number of rows, about: for nested rows that of the outer elements, for rows that a function makes 0.
  func size(of state: State) -> Int

  /// Passes the lists that differ between two states to a closure.
  ///
  /// - Throws: ``RowsAreForeign`` if one of them has more steps than the limit.
  /// - Complexity: O(changes · log n) for two versions of one state.
  func lists(from older: State, to newer: State, limit: Int, _ body: (RowList) throws -> Void) throws

  /// Passes the rows of a state to a closure, list by list, in order; the index counts from 0 in each list.
  ///
  /// - Complexity: O(n).
  func rows(of state: State, _ body: (EncodedRow, _ index: Int) throws -> Void) throws
}

extension IdentityArray where Element: Equatable & Encodable, Element.ID: Encodable {
  func row(_ element: Element, _ coder: RowCoder, _ parent: RowValue? = nil) throws -> EncodedRow {
    EncodedRow(parent: parent, id: try RowCoder.id(element.id), values: try coder.values(of: element))
  }

  /// Returns the list of this version; nil if it is equal to an older one.
  func list(since older: IdentityArray, _ coder: RowCoder, limit: Int, _ parent: RowValue? = nil) throws -> RowList? {
    let difference = changes(from: older)
    guard !difference.isEmpty else { return nil }
    guard difference.count <= limit else { throw RowsAreForeign() }
    let steps = try difference.map { step -> RowList.Step in
      switch step {
      case .removed(let element, _): .removed(try row(element, coder, parent))
      case .inserted(let element, let index): .inserted(try row(element, coder, parent), at: index)
      case .moved(_, _, let index): .moved(at: index)
      case .updated(let old, let new): .updated(from: try row(old, coder, parent), to: try row(new, coder, parent))
      }
    }
    return RowList(steps: steps, count: count) { index in (parent.map { [$0] } ?? []) + [try RowCoder.id(self[index].id)] }
  }

  func rows(_ coder: RowCoder, _ parent: RowValue? = nil, _ body: (EncodedRow, Int) throws -> Void) throws {
    var index = 0
    for element in self {
      try body(row(element, coder, parent), index)
      index += 1
    }
  }
}

/// A row for each element of a collection.
struct ListSource<State: Alterable, Element: Identifiable & Equatable & Encodable & Sendable>: RowSource
where Element.ID: Encodable & Sendable {
  let path: KeyPath<State, IdentityArray<Element>> & Sendable
  var coder: RowCoder

  func written(in form: RowForm) -> any RowSource<State> { Self(path: path, coder: coder.written(in: form)) }

  func size(of state: State) -> Int { state[keyPath: path].count }

  func lists(from older: State, to newer: State, limit: Int, _ body: (RowList) throws -> Void) throws {
    if let list = try newer[keyPath: path].list(since: older[keyPath: path], coder, limit: limit) { try body(list) }
  }

  func rows(of state: State, _ body: (EncodedRow, _ index: Int) throws -> Void) throws {
    try state[keyPath: path].rows(coder, nil, body)
  }
}

/// A row for each element of the collections in the elements of another one.
struct NestedSource<
  State: Alterable, Parent: Identifiable & Equatable & Sendable, Element: Identifiable & Equatable & Encodable & Sendable
>: RowSource where Parent.ID: Encodable & Sendable, Element.ID: Encodable & Sendable {
  let path: KeyPath<State, IdentityArray<Parent>> & Sendable
  let inner: KeyPath<Parent, IdentityArray<Element>> & Sendable
  var coder: RowCoder

  func written(in form: RowForm) -> any RowSource<State> { Self(path: path, inner: inner, coder: coder.written(in: form)) }

  func size(of state: State) -> Int { state[keyPath: path].count }

  func lists(from older: State, to newer: State, limit: Int, _ body: (RowList) throws -> Void) throws {
    func move(from old: IdentityArray<Element>, to new: IdentityArray<Element>, _ parent: Parent.ID) throws {
      if let list = try new.list(since: old, coder, limit: limit, try RowCoder.id(parent)) { try body(list) }
    }
    for step in newer[keyPath: path].changes(from: older[keyPath: path]) {
      switch step {
      case .removed(let parent, _): try move(from: parent[keyPath: inner], to: IdentityArray(), parent.id)
      case .inserted(let parent, _): try move(from: IdentityArray(), to: parent[keyPath: inner], parent.id)
      case .moved: break
      case .updated(let old, let new):
        if try RowCoder.id(old.id).isIdentical(to: RowCoder.id(new.id)) {
          try move(from: old[keyPath: inner], to: new[keyPath: inner], new.id)
        } else {
          // The rows are addressed by the bytes of the outer id.
          try move(from: old[keyPath: inner], to: IdentityArray(), old.id)
          try move(from: IdentityArray(), to: new[keyPath: inner], new.id)
        }
      }
    }
  }

  func rows(of state: State, _ body: (EncodedRow, _ index: Int) throws -> Void) throws {
    for parent in state[keyPath: path] { try parent[keyPath: inner].rows(coder, try RowCoder.id(parent.id), body) }
  }
}

/// The rows that a function makes.
struct HandSource<State: Alterable>: RowSource {
  private struct Row: Identifiable, Equatable, Sendable {
    let id: RowValue
    let values: [RowValue]
    var encoded: EncodedRow { EncodedRow(id: id, values: values) }
  }

  let name: String
  let columns: [StoredField]
  var form = RowForm.sqlite
  let make: @Sendable (State) -> [[RowValue]]

  init(name: String, columns: [StoredField], rows: @escaping @Sendable (State) -> [[RowValue]]) {
    (self.name, self.columns, make) = (name, columns, rows)
  }

  func written(in form: RowForm) -> any RowSource<State> {
    var source = self
    source.form = form
    return source
  }

  func size(of state: State) -> Int { 0 }

  private func array(_ state: State) throws -> IdentityArray<Row> {
    try IdentityArray(
      make(state).map { values in
        guard values.count == columns.count else { throw RowsError.width(table: name, values.count, expected: columns.count) }
        return Row(id: values[0], values: zip(values, columns).dropFirst().map { $0.written(in: form, $1.kind) })
      })
  }

  func lists(from older: State, to newer: State, limit: Int, _ body: (RowList) throws -> Void) throws {
    let (old, new) = (try array(older), try array(newer))
    let difference = new.changes(from: old)
    guard !difference.isEmpty else { return }
    let steps = difference.map { step -> RowList.Step in
      switch step {
      case .removed(let row, _): .removed(row.encoded)
      case .inserted(let row, let index): .inserted(row.encoded, at: index)
      case .moved(_, _, let index): .moved(at: index)
      case .updated(let old, let new): .updated(from: old.encoded, to: new.encoded)
      }
    }
    try body(RowList(steps: steps, count: new.count) { [new[$0].id] })
  }

  func rows(of state: State, _ body: (EncodedRow, _ index: Int) throws -> Void) throws {
    for (index, row) in try array(state).enumerated() { try body(row.encoded, index) }
  }
}
