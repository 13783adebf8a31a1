#if SQLite
  import GRDB

  /// Writes the rows of a table, inside one transaction.
  struct TableWriter {
    private let layout: TableLayout
    private let database: Database

    init(_ layout: TableLayout, in database: Database) { (self.layout, self.database) = (layout, database) }

    private func statement(_ sql: String) throws -> RowStatement { try RowStatement(sql, in: database) }

    // MARK: - Making all rows

    /// Creates the table and fills it.
    func create<State>(_ source: some RowSource<State>, of state: State) throws {
      for definition in layout.creation { try database.execute(sql: definition.sql) }
      let insertion = try statement(layout.statements.insertion)
      try source.rows(of: state) { row, index in
        try insertion.run(row.key, [.integer((Int64(index) + 1) * Self.gap)], row.values)
      }
      for definition in layout.indexes { try database.execute(sql: definition.sql) }
      if !layout.search.isEmpty { try database.execute(sql: layout.searchCommand("rebuild")) }
    }

    // MARK: - Writing a difference

    /// Writes the steps of a list.
    ///
    /// - Throws: ``RowsAreForeign`` if a row is missing, or the positions are exhausted.
    func write(_ list: RowList) throws {
      var arrivals: [(index: Int, row: EncodedRow?)] = []
      for step in list.steps {
        switch step {
        case .removed(let row): try remove(row)
        case .updated(let old, let new): try update(from: old, to: new)
        case .inserted(let row, let index): arrivals.append((index, row))
        case .moved(let index): arrivals.append((index, nil))
        }
      }
      if !arrivals.isEmpty { try place(arrivals[...], in: list) }
    }

    private func remove(_ row: EncodedRow) throws {
      if !layout.search.isEmpty { try removeFromSearch(row) }
      guard try statement(layout.statements.deletion).run(row.key) == 1 else { throw RowsAreForeign() }
    }

    private func update(from old: EncodedRow, to new: EncodedRow) throws {
      let isSearched = !zip(searched(old), searched(new)).allSatisfy { $0.isIdentical(to: $1) }
      if isSearched { try removeFromSearch(old) }
      guard try statement(layout.statements.update).run(new.key, new.values, old.key) == 1 else { throw RowsAreForeign() }
      if isSearched { try statement(layout.statements.searchInsertion).run(new.key) }
    }

    private func searched(_ row: EncodedRow) -> [RowValue] {
      let values = row.key + row.values
      return layout.searchPlaces.map { values[$0] }
    }

    /// The index removes the words of the old texts, which it does not have itself.
    private func removeFromSearch(_ row: EncodedRow) throws { try statement(layout.statements.searchDeletion).run(searched(row), row.key) }

    // MARK: - Positions

    /// The distance between two rows that are appended.
    private static let gap: Int64 = 1 << 32
    /// Positions beyond this number are not used: the rows are made again.
    private static let limit: UInt64 = 1 << 62

    /// Gives rows that were inserted or moved their positions: between those of their neighbours, which get others where no room is left.
    ///
    /// - Complexity: O(arrivals · log n) amortised.
    private func place(_ arrivals: ArraySlice<(index: Int, row: EncodedRow?)>, in list: RowList) throws {
      var rest = arrivals
      let insertion = try statement(layout.statements.insertion)
      while let first = rest.first {
        var window = first.index..<first.index
        var taken = rest.prefix(0)
        // The rows that arrive next to each other, or in the window.
        func take() {
          while let next = rest.dropFirst(taken.count).first, next.index <= window.upperBound {
            taken = rest.prefix(taken.count + 1)
            window = window.lowerBound..<max(window.upperBound, next.index + 1)
          }
        }
        take()
        var isWidened = false
        var (left, right) = (try position(before: window, in: list), try position(after: window, in: list))
        while !hasRoom(for: window.count, between: left, and: right, isWidened) {
          let more = max(1, window.count / 2)
          window = max(0, window.lowerBound - more)..<min(list.count, window.upperBound + more)
          take()
          (left, right) = (try position(before: window, in: list), try position(after: window, in: list))
          isWidened = true
        }
        var arriving = taken
        for index in window {
          let position = try position(of: index - window.lowerBound, of: window.count, between: left, and: right)
          let row = arriving.first?.index == index ? arriving.removeFirst().row : nil
          if let row {
            try insertion.run(row.key, [.integer(position)], row.values)
            if !layout.search.isEmpty { try statement(layout.statements.searchInsertion).run(row.key) }
          } else {
            guard try statement(layout.statements.placement).run([.integer(position)], list.key(index)) == 1 else { throw RowsAreForeign() }
          }
        }
        rest = rest.dropFirst(taken.count)
      }
    }

    private func position(before window: Range<Int>, in list: RowList) throws -> Int64? {
      window.lowerBound > 0 ? try position(at: window.lowerBound - 1, in: list) : nil
    }

    private func position(after window: Range<Int>, in list: RowList) throws -> Int64? {
      window.upperBound < list.count ? try position(at: window.upperBound, in: list) : nil
    }

    /// The stored position of the row at an index of the newer version.
    private func position(at index: Int, in list: RowList) throws -> Int64 {
      guard case .integer(let position)? = try statement(layout.statements.position).row(list.key(index))?.first,
        position.magnitude < Self.limit
      else {
        throw RowsAreForeign()
      }
      return position
    }

    /// Whether rows fit between two positions. A wider window must leave more room than a narrow one, so that it is not full again soon.
    private func hasRoom(for count: Int, between left: Int64?, and right: Int64?, _ isWidened: Bool) -> Bool {
      guard let left, let right else { return true }
      let room = (right - left) / Int64(count + 1)
      guard isWidened else { return room >= 1 }
      // Three quarters for each doubling, as in other list-labelling structures.
      var needed = Self.gap
      var size = count
      while size > 1 {
        needed = needed / 4 * 3
        size /= 2
      }
      return room >= needed
    }

    private func position(of place: Int, of count: Int, between left: Int64?, and right: Int64?) throws -> Int64 {
      let position =
        switch (left, right) {
        case (let left?, let right?): left + (right - left) / Int64(count + 1) * Int64(place + 1)
        case (let left?, nil): left + Self.gap * Int64(place + 1)
        case (nil, let right?): right - Self.gap * Int64(count - place)
        case (nil, nil): Self.gap * Int64(place + 1)
        }
      guard position.magnitude < Self.limit else { throw RowsAreForeign() }
      return position
    }
  }
#endif
