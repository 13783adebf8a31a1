#if Postgres
  import AlterCollections
  import AlterCore
  import AlterPostgres
  import AlterRows

  /// The parameters of a statement for many rows: an array for each column.
  struct RowArrays {
    private var columns: [[Parameters.Value]]
    /// About the size in bytes.
    private(set) var bytes = 0

    init(_ count: Int) { columns = Array(repeating: [], count: count) }

    var isEmpty: Bool { columns[0].isEmpty }

    mutating func add(_ row: [Parameters.Value]) {
      for (index, value) in row.enumerated() {
        columns[index].append(value)
        bytes += 4 + value.size
      }
    }

    /// The statement for the rows, and nothing if there are none.
    func call(_ step: PostgresTable.Step, _ journal: Int64) -> [Call] {
      guard columns[0].count == 1 else { return call(step.many, journal) }
      var parameters = Parameters(.number(journal))
      for column in columns { parameters.add(column[0]) }
      return [Call(step.one, parameters)]
    }

    /// The statement for the rows, and nothing if there are none.
    func call(_ sql: String, _ journal: Int64) -> [Call] {
      guard !isEmpty else { return [] }
      var parameters = Parameters(.number(journal))
      for column in columns { parameters.add(array: column) }
      return [Call(sql, parameters)]
    }
  }

  extension Parameters.Value {
    fileprivate var size: Int {
      switch self {
      case .text(let text), .json(let text): text?.utf8.count ?? 0
      case .bytes(let data): data?.count ?? 0
      default: 16
      }
    }
  }

  extension PostgresTable {
    /// Returns the values of a key.
    func key(_ values: [RowValue]) throws -> [Parameters.Value] { try zip(keys, values).map { try $0.value($1).0 } }

    /// Returns the values of a row: its key, its columns, and the column `beyond`.
    func values(_ row: EncodedRow) throws -> [Parameters.Value] {
      var (values, beyond): ([Parameters.Value], [(String, String)]) = ([], [])
      for (column, value) in zip(keys, row.key) {
        let (key, isShortened) = try column.value(value)
        values.append(key)
        if isShortened { beyond.append((column.name, value.text)) }
      }
      for (column, value) in zip(columns, row.values) {
        let stored = column.value(value)
        values.append(stored ?? column.null)
        if stored == nil { beyond.append((column.name, value.text)) }
      }
      func text(_ text: String) -> String { RowValue.json(of: PostgresText.storable(text)) }
      let members = beyond.map { "\(text($0)):\(text($1))" }.joined(separator: ",")
      values.append(.json(beyond.isEmpty ? nil : "{\(members)}"))
      return values
    }
  }

  /// The difference of two states in a table, as statements.
  struct PostgresSteps {
    private let table: PostgresTable
    private var removed: RowArrays
    private var updated: RowArrays
    private var inserted: RowArrays
    private var moved: RowArrays

    init(_ table: PostgresTable) {
      self.table = table
      let (keys, columns) = (table.keys.count, table.columns.count + 1)
      (removed, updated) = (RowArrays(keys), RowArrays(1 + keys + columns))
      (inserted, moved) = (RowArrays(keys + columns + 4), RowArrays(keys + 4))
    }

    /// About the size of the statements in bytes.
    var bytes: Int { removed.bytes + updated.bytes + inserted.bytes + moved.bytes }
    /// Whether a row gets a place between others.
    var hasArrivals: Bool { !inserted.isEmpty || !moved.isEmpty }

    mutating func add(_ list: RowList) throws {
      var arrivals: [(index: Int, row: EncodedRow?)] = []
      for step in list.steps {
        switch step {
        case .removed(let row): removed.add(try table.key(row.key))
        case .updated(let old, let new):
          updated.add([try table.key(old.key)[table.keys.count - 1]] + (try table.values(new)))
        case .inserted(let row, let index): arrivals.append((index, row))
        case .moved(let index): arrivals.append((index, nil))
        }
      }
      // Rows that arrive next to each other share the room between the rows on both sides.
      var rest = arrivals[...]
      while let first = rest.first {
        var end = first.index
        let run = rest.prefix { arrival in
          defer { end += 1 }
          return arrival.index == end
        }
        rest = rest.dropFirst(run.count)
        let id = table.keys.count - 1
        func neighbour(_ index: Int) throws -> Parameters.Value {
          (0..<list.count).contains(index) ? try table.key(list.key(index))[id] : table.keys[id].null
        }
        let sides = [try neighbour(first.index - 1), try neighbour(first.index + run.count)]
        for (place, arrival) in run.enumerated() {
          let places = sides + [.number(Int64(place + 1)), .number(Int64(run.count))]
          if let row = arrival.row {
            inserted.add(try table.values(row) + places)
          } else {
            moved.add(try table.key(list.key(arrival.index)) + places)
          }
        }
      }
    }

    func calls(_ journal: Int64) -> [Call] {
      let (sql, parts) = (table.sql, [removed, updated, inserted, moved])
      return zip([sql.deletion, sql.update, sql.insertion, sql.placement], parts).flatMap { sql, rows in rows.call(sql, journal) }
    }
  }
#endif
