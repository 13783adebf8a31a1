#if Macros
  package import Alter

  /// The state of an older build of an app: the newer build has the same schema version and a price.
  @Alterable package struct OldShelf: Hashable {
    @Each(.add) package let products: IdentityArray<OldProduct>
  }

  @Alterable package struct OldProduct: Identifiable, Hashable {
    package let id: Int
    package let name: String
  }

  /// The state of the newer build: `price` is new.
  @Alterable package struct NewShelf: Hashable {
    @Each(.add) package let products: IdentityArray<NewProduct>
  }

  @Alterable package struct NewProduct: Identifiable, Hashable {
    package let id: Int
    package let name: String
    @Default(0) package let price: Int
  }

  /// The builds at work: each one opens the journal, makes changes, and closes it. The default options make a snapshot each 5,000 changes.
  package enum Shelves {
    package static func old(_ journal: any Journal, adding ids: Range<Int> = 0..<0, renaming count: Int = 0) async throws {
      let store = try await Store.open(OldShelf(), in: journal)
      for id in ids { try await store.change(.add(.product(OldProduct(id: id, name: "\(id)")))).durable() }
      for number in 0..<count {
        try await store.ready()
        try store.change(.product(store.state.products[number % store.state.products.count].id, .name("renamed \(number)")))
      }
      await store.close()
    }

    /// Compacts a journal with the older build, with the newer one, and with the older one again.
    ///
    /// - Returns: The codes of the errors.
    package static func compact(_ journal: any Journal) async throws -> [JournalError.Code?] {
      var codes: [JournalError.Code?] = []
      for isNew in [false, true, false] {
        do throws(JournalError) {
          if isNew {
            try await Store<NewShelf>.compact(journal, keeping: .last(50))
          } else {
            try await Store<OldShelf>.compact(journal, keeping: .last(10))
          }
          codes.append(nil)
        } catch { codes.append(error.code) }
      }
      return codes
    }

    /// - Returns: The sum of all prices.
    @discardableResult
    package static func new(_ journal: any Journal, adding ids: Range<Int> = 0..<0, renaming count: Int = 0) async throws -> Int {
      let store = try await Store.open(NewShelf(), in: journal)
      for id in ids { try await store.change(.add(.product(NewProduct(id: id, name: "\(id)", price: id)))).durable() }
      for number in 0..<count {
        try await store.ready()
        try store.change(.product(store.state.products[number % store.state.products.count].id, .name("renamed \(number)")))
      }
      let sum = store.state.products.reduce(0) { $0 + $1.price }
      await store.close()
      return sum
    }
  }
#endif
