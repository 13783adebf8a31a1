#if Macros
  import Alter
  import Foundation
  import Testing

  /// Holds halls in an `IdentityArray`: the first level.
  @Alterable struct Warehouse: Hashable {
    let town: String
    @Each let halls: IdentityArray<Hall>
  }

  /// Holds a rack as a struct: the second level.
  @Alterable struct Hall: Identifiable, Hashable {
    let id: Int
    let name: String
    @Nested let rack: Rack
  }

  /// Holds a crate, which is an enum: the third level.
  @Alterable struct Rack: Hashable {
    let label: String
    @Nested let crate: Crate
  }

  /// Holds a load in one of its states: the fourth level.
  @Alterable enum Crate: Hashable {
    case empty
    @Nested case open(Load)
    case sealed(Load)

    @Wire enum OwnChange: Hashable { case fill(Load), seal }

    mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
      switch (self, change) {
      case (.empty, .fill(let load)): self = .open(load)
      case (.open(let load), .seal): self = .sealed(load)
      case (.open, .fill), (.sealed, .fill): throw .illegal(from: "full", change: "fill")
      case (.empty, .seal), (.sealed, .seal): throw .illegal(from: "empty or sealed", change: "seal")
      }
    }

    /// The load of a crate that has one.
    var load: Load? {
      switch self {
      case .empty: nil
      case .open(let load), .sealed(let load): load
      }
    }
  }

  /// Holds parcels in an `IdentityArray`: the fifth level.
  @Alterable struct Load: Hashable {
    let owner: String
    @Each let parcels: IdentityArray<Parcel>
  }

  /// A parcel with a lock, which refuses codes, and whose array of numbers shows copies.
  @Alterable struct Parcel: Identifiable, Hashable {
    let id: Int
    let title: String
    @Nested let lock: Lock
  }

  @Suite("A change five levels deep")
  struct FiveLevelsTests {
    private let warehouse: Warehouse

    init() throws { warehouse = try Self.warehouse() }

    /// Two halls with an open crate, one with a sealed and one with an empty crate. A crate that isn't empty has three parcels.
    private static func warehouse(titled title: String = "boots") throws -> Warehouse {
      func parcel(_ hall: Int, _ id: Int, _ title: String) throws -> Parcel {
        Parcel(id: id, title: title, lock: try Lock(code: 10 * hall + id).alter(.tried(hall), .tried(id)))
      }
      func load(_ hall: Int, _ title: String) throws -> Load {
        Load(owner: "owner \(hall)", parcels: try [parcel(hall, 1, "hats"), parcel(hall, 2, "maps"), parcel(hall, 3, title)])
      }
      func hall(_ id: Int, _ crate: Crate) -> Hall { Hall(id: id, name: "hall \(id)", rack: Rack(label: "rack \(id)", crate: crate)) }
      return Warehouse(
        town: "Riga",
        halls: [
          hall(1, .open(try load(1, title))), hall(2, .open(try load(2, "boots"))), hall(3, .sealed(try load(3, "boots"))),
          hall(4, .empty),
        ])
    }

    /// The numbers that were tried on the lock of a parcel.
    private func tries(_ warehouse: Warehouse, hall: Int, parcel: Int) throws -> [Int] {
      try #require(warehouse.halls[id: hall]?.rack.crate.load?.parcels[id: parcel]).lock.tries
    }

    /// The addresses of all storage on the heap: the nodes of the collections, and the arrays in the locks. A copy has other addresses.
    private func addresses(_ warehouse: Warehouse) -> Set<UnsafeRawPointer> {
      var addresses = warehouse.halls.nodes
      for parcels in warehouse.halls.compactMap(\.rack.crate.load?.parcels) {
        addresses.formUnion(parcels.nodes)
        for parcel in parcels { addresses.formUnion([parcel.lock.tries.withUnsafeBytes { $0.baseAddress }].compactMap(\.self)) }
      }
      return addresses
    }

    @Test("is one line. It alters one property, and the new version shares the rest with the older one")
    func oneLine() throws {
      let changed = try warehouse.alter(.hall(1, .rack(.crate(.load(.parcel(3, .title("x")))))))
      #expect(changed == (try Self.warehouse(titled: "x")))
      #expect(try warehouse == Self.warehouse())
      // A leaf with the four halls and a leaf with the three parcels are copied. Nothing else is: no array, no other hall's parcels.
      #expect(addresses(changed).subtracting(addresses(warehouse)).count == 2)
      #expect(addresses(warehouse).count == 1 + 3 * (1 + 3))
    }

    @Test("is made in place if nothing else holds the value")
    func inPlace() throws {
      var warehouse = try Self.warehouse()
      let before = addresses(warehouse)
      for number in 0..<10 {
        try warehouse.apply(.hall(1, .rack(.crate(.load(.parcel(3, .title("title \(number)")))))), at: .none)
        #expect(addresses(warehouse) == before)
      }
      // One level deeper, an array grows a few times. A copy at each change would move it a thousand times.
      var moves = 0
      for number in 0..<1_000 {
        let before = addresses(warehouse)
        try warehouse.apply(.hall(1, .rack(.crate(.load(.parcel(3, .lock(.tried(number))))))), at: .none)
        if addresses(warehouse) != before { moves += 1 }
      }
      #expect(moves < 20)
      #expect(try tries(warehouse, hall: 1, parcel: 3).count == 1_002)
    }

    @Test("leaves a version that is held as it was")
    func retained() throws {
      var warehouse = try Self.warehouse()
      var versions: [Warehouse] = []
      for number in 0..<10 {
        versions.append(warehouse)
        try warehouse.apply(.hall(2, .rack(.crate(.load(.parcel(1, .lock(.tried(number))))))), at: .none)
      }
      for (count, version) in versions.enumerated() {
        let changes = (0..<count).map { Warehouse.Change.hall(2, .rack(.crate(.load(.parcel(1, .lock(.tried($0))))))) }
        #expect(try tries(version, hall: 2, parcel: 1) == [2, 1] + Array(0..<count))
        #expect(try version == Self.warehouse().alter(changes))
      }
    }

    /// A refused change for each level. (The compiler reads the arguments of `@Test` before it expands the models.)
    static let refusals: [(change: Warehouse.Change, refusal: Refusal)] = [
      (.hall(9, .rack(.crate(.load(.parcel(3, .title("x")))))), .missing("Hall", 9)),
      (.hall(3, .rack(.crate(.load(.parcel(3, .title("x")))))), .illegal(from: "sealed", change: "load")),
      (.hall(4, .rack(.crate(.load(.parcel(3, .title("x")))))), .illegal(from: "empty", change: "load")),
      (.hall(1, .rack(.crate(.fill(Load(owner: "x"))))), .illegal(from: "full", change: "fill")),
      (.hall(1, .rack(.crate(.load(.parcel(9, .title("x")))))), .missing("Parcel", 9)),
      (.hall(1, .rack(.crate(.load(.parcel(3, .lock(.code(0))))))), .custom("A code is positive.")),
    ]

    @Test("that a level refuses leaves the value, and its storage, exactly as it was", arguments: refusals)
    func refused(change: Warehouse.Change, refusal: Refusal) throws {
      var warehouse = try Self.warehouse()
      let before = addresses(warehouse)
      #expect(throws: refusal) { try warehouse.apply(change, at: .none) }
      #expect(try warehouse == Self.warehouse())
      #expect(addresses(warehouse) == before)
      // The next change is made, and in place.
      try warehouse.apply(.hall(1, .rack(.crate(.load(.parcel(3, .title("x")))))), at: .none)
      #expect(try warehouse == Self.warehouse(titled: "x"))
      #expect(addresses(warehouse) == before)
    }

    @Test("is stored as one object in another, and read again")
    func stored() throws {
      let change = Warehouse.Change.hall(1, .rack(.crate(.load(.parcel(3, .title("x"))))))
      let json = #"{"hall":{"change":{"rack":{"crate":{"load":{"parcel":{"change":{"title":"x"},"id":3}}}}},"id":1}}"#
      #expect(String(decoding: try JournalCoding.encode(change), as: UTF8.self) == json)
      let read = try JournalCoding.decode(Warehouse.Change.self, from: Data(json.utf8))
      #expect(read == change)
      #expect(try warehouse.alter(read) == Self.warehouse(titled: "x"))
      let state = try JournalCoding.decode(Warehouse.self, from: JournalCoding.encode(warehouse))
      #expect(try state == warehouse && state.alter(read) == Self.warehouse(titled: "x"))
    }
  }
#endif
