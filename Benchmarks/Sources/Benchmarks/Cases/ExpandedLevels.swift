// swift-format-ignore-file

import Alter

// MARK: - Written by the macros
//
// To write this again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests

struct Parcel: Identifiable, Hashable {
  let id: Int
  let title: String
  let weight: Int

  /// The changes of `Parcel`.
  nonisolated enum Change: Sendable, Hashable, Codable, AlterCore.StoredForm {
    /// Sets `title`.
    case title(String)
    /// Sets `weight`.
    case weight(Int)

    /// Reads an object with one key, the name of the case.
    init(from decoder: any Decoder) throws {
      let wire = try AlterJournal.WireCase(of: Self.self, changing: Parcel.self, from: decoder)
      switch wire.name {
      case "title": self = .title(try wire.value())
      case "weight": self = .weight(try wire.value())
      default: throw wire.unknown
      }
    }
    /// Writes an object with one key, the name of the case.
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .title(let value): try AlterJournal.WireCase.encode("title", value, to: encoder)
      case .weight(let value): try AlterJournal.WireCase.encode("weight", value, to: encoder)
      }
    }
    /// Each value can be read again.
    static var _isTotal: Swift.Bool { true }
    /// Describes the stored form, for its fingerprint.
    static func _describe(_ form: inout AlterCore.StoredFormDescription) {
      form.oneCase("title")
      form.part("") { (one: Self) in
        guard case .title(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("weight")
      form.part("") { (one: Self) in
        guard case .weight(let part) = one else { Swift.fatalError() }
        return part
      }
    }
    /// Reads an object with one key, the name of the case, as it is stored.
    init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
      try reader.beginCase()
      if reader.isCase("title") {
        self = .title(try reader.value())
      } else if reader.isCase("weight") {
        self = .weight(try reader.value())
      } else {
        throw AlterCore.StoredFormError()
      }
      try reader.endCase()
    }
    /// Writes an object with one key, the name of the case, as it is stored.
    func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
      switch self {
      case .title(let part0):
        try writer.beginCase("title")
        try writer.value(part0)
      case .weight(let part0):
        try writer.beginCase("weight")
        try writer.value(part0)
      }
      writer.endObject()
    }

    @available(*, unavailable, message: "write @Changes before 'weight'")
    nonisolated static func weight(by _: Int) -> Change { Swift.fatalError() }
  }

  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never

  /// The same properties in the same order, open to a change.
  private nonisolated struct _Fields {
    let id: Int
    var title: String
    var weight: Int
  }

  /// Makes the change.
  nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) {
    // A change is made where the value is, as if its constants were variables.
    AlterMacros._withUnsafeFields(of: &self, as: _Fields.self) { fields in
      switch change {
      case .title(let value): fields.title = value
      case .weight(let value): fields.weight = value
      }
    }
  }

  /// A value of these properties.
  nonisolated init(id: Int, title: String, weight: Int) {
    self.id = id
    self.title = title
    self.weight = weight
  }

  /// Reads the properties by their names.
  nonisolated init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.id = try fields.value("id")
    self.title = try fields.value("title")
    self.weight = try fields.value("weight")
  }

  /// Writes the properties by their names; an optional that is nil is left out.
  nonisolated func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.id, "id")
    try fields.write(self.title, "title")
    try fields.write(self.weight, "weight")
  }

  /// Each value can be read again.
  nonisolated static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("id") { (model: Self) in model.id }
    form.part("title") { (model: Self) in model.title }
    form.part("weight") { (model: Self) in model.weight }
  }
  /// Reads the properties by their names, as they are stored.
  nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.id = try reader.required("id", in: &object)
    self.title = try reader.required("title", in: &object)
    self.weight = try reader.required("weight", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.id, "id")
    try writer.field(self.title, "title")
    try writer.field(self.weight, "weight")
    writer.endObject()
  }
}

struct Load: Hashable {
  let owner: String
  let parcels: IdentityArray<Parcel>

  private typealias _each_parcels = AlterMacros._EachIsAlterable<Parcel>

  /// The changes of `Load`.
  nonisolated enum Change: Sendable, Hashable, Codable, AlterCore.StoredForm {
    /// Adds an element at the end. Refused if its id exists already.
    indirect case add(ElementValue)
    /// Removes an element. Refused if it does not exist.
    case remove(ElementID)
    /// Sets `owner`.
    case owner(String)
    /// Changes one of the `parcels`.
    indirect case parcel(Parcel.ID, Parcel.Change)

    /// Reads an object with one key, the name of the case.
    init(from decoder: any Decoder) throws {
      let wire = try AlterJournal.WireCase(of: Self.self, changing: Load.self, from: decoder)
      switch wire.name {
      case "add": self = .add(try wire.value())
      case "remove": self = .remove(try wire.value())
      case "owner": self = .owner(try wire.value())
      case "parcel": self = try wire.path { (id: _each_parcels.ID, change: _each_parcels.Change) in Self.parcel(id, change) }
      default: throw wire.unknown
      }
    }
    /// Writes an object with one key, the name of the case.
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .add(let value): try AlterJournal.WireCase.encode("add", value, to: encoder)
      case .remove(let value): try AlterJournal.WireCase.encode("remove", value, to: encoder)
      case .owner(let value): try AlterJournal.WireCase.encode("owner", value, to: encoder)
      case .parcel(let id, let change): try AlterJournal.WireCase.encode("parcel", id: id as _each_parcels.ID, change: change as _each_parcels.Change, to: encoder)
      }
    }
    /// Each value can be read again.
    static var _isTotal: Swift.Bool { true }
    /// Describes the stored form, for its fingerprint.
    static func _describe(_ form: inout AlterCore.StoredFormDescription) {
      form.oneCase("add")
      form.part("") { (one: Self) in
        guard case .add(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("owner")
      form.part("") { (one: Self) in
        guard case .owner(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("parcel")
      form.part("change") { (one: Self) -> _each_parcels.Change in
        guard case .parcel(let part0, let part1) = one else { Swift.fatalError() }
        return (part0, part1).1
      }
      form.part("id") { (one: Self) -> _each_parcels.ID in
        guard case .parcel(let part0, let part1) = one else { Swift.fatalError() }
        return (part0, part1).0
      }
      form.oneCase("remove")
      form.part("") { (one: Self) in
        guard case .remove(let part) = one else { Swift.fatalError() }
        return part
      }
    }
    /// Reads an object with one key, the name of the case, as it is stored.
    init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
      try reader.beginCase()
      if reader.isCase("add") {
        self = .add(try reader.value())
      } else if reader.isCase("remove") {
        self = .remove(try reader.value())
      } else if reader.isCase("owner") {
        self = .owner(try reader.value())
      } else if reader.isCase("parcel") {
        var object = try reader.beginObject()
        self = try AlterCore.StoredReader.value(of: reader.required("change", in: &object) as _each_parcels.Change, reader.required("id", in: &object) as _each_parcels.ID) { (part0: _each_parcels.Change, part1: _each_parcels.ID) in Self.parcel(part1, part0) }
        try reader.endObject(&object)
      } else {
        throw AlterCore.StoredFormError()
      }
      try reader.endCase()
    }
    /// Writes an object with one key, the name of the case, as it is stored.
    func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
      switch self {
      case .add(let part0):
        try writer.beginCase("add")
        try writer.value(part0)
      case .remove(let part0):
        try writer.beginCase("remove")
        try writer.value(part0)
      case .owner(let part0):
        try writer.beginCase("owner")
        try writer.value(part0)
      case .parcel(let part0, let part1):
        try writer.beginCase("parcel")
        try writer.beginObject()
        writer.key("change")
        try writer.value(part1 as _each_parcels.Change)
        writer.key("id")
        try writer.value(part0 as _each_parcels.ID)
        writer.endObject()
      }
      writer.endObject()
    }

    /// An element of one of the collections.
    nonisolated enum ElementValue: Sendable, Hashable, Codable, AlterCore.StoredForm {
      /// One of the `parcels`.
      case parcel(Parcel)

      /// Reads an object with one key, the name of the case.
      init(from decoder: any Decoder) throws {
        let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
        switch wire.name {
        case "parcel": self = .parcel(try wire.value() as _each_parcels.Element)
        default: throw wire.unknown
        }
      }
      /// Writes an object with one key, the name of the case.
      func encode(to encoder: any Encoder) throws {
        switch self {
        case .parcel(let value): try AlterJournal.WireCase.encode("parcel", value as _each_parcels.Element, to: encoder)
        }
      }
      /// Each value can be read again.
      static var _isTotal: Swift.Bool { true }
      /// Describes the stored form, for its fingerprint.
      static func _describe(_ form: inout AlterCore.StoredFormDescription) {
        form.oneCase("parcel")
        form.part("") { (one: Self) in
          guard case .parcel(let part) = one else { Swift.fatalError() }
          return part
        }
      }
      /// Reads an object with one key, the name of the case, as it is stored.
      init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
        try reader.beginCase()
        if reader.isCase("parcel") {
          self = .parcel(try reader.value(_each_parcels.Element.self))
        } else {
          throw AlterCore.StoredFormError()
        }
        try reader.endCase()
      }
      /// Writes an object with one key, the name of the case, as it is stored.
      func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
        switch self {
        case .parcel(let part0):
          try writer.beginCase("parcel")
          try writer.value(part0 as _each_parcels.Element)
        }
        writer.endObject()
      }
    }

    /// The id of an element of one of the collections.
    nonisolated enum ElementID: Sendable, Hashable, Codable, AlterCore.StoredForm {
      /// One of the `parcels`.
      case parcel(Parcel.ID)
      /// One of the `parcels`, by any version of its value.
      @_disfavoredOverload
      nonisolated static func parcel(_ value: Parcel, _: Void = ()) -> ElementID { .parcel(value.id) }

      /// Reads an object with one key, the name of the case.
      init(from decoder: any Decoder) throws {
        let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
        switch wire.name {
        case "parcel": self = .parcel(try wire.value() as _each_parcels.ID)
        default: throw wire.unknown
        }
      }
      /// Writes an object with one key, the name of the case.
      func encode(to encoder: any Encoder) throws {
        switch self {
        case .parcel(let value): try AlterJournal.WireCase.encode("parcel", value as _each_parcels.ID, to: encoder)
        }
      }
      /// Each value can be read again.
      static var _isTotal: Swift.Bool { true }
      /// Describes the stored form, for its fingerprint.
      static func _describe(_ form: inout AlterCore.StoredFormDescription) {
        form.oneCase("parcel")
        form.part("") { (one: Self) in
          guard case .parcel(let part) = one else { Swift.fatalError() }
          return part
        }
      }
      /// Reads an object with one key, the name of the case, as it is stored.
      init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
        try reader.beginCase()
        if reader.isCase("parcel") {
          self = .parcel(try reader.value(_each_parcels.ID.self))
        } else {
          throw AlterCore.StoredFormError()
        }
        try reader.endCase()
      }
      /// Writes an object with one key, the name of the case, as it is stored.
      func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
        switch self {
        case .parcel(let part0):
          try writer.beginCase("parcel")
          try writer.value(part0 as _each_parcels.ID)
        }
        writer.endObject()
      }
    }

    @available(*, unavailable, message: "list .put in the @Each of 'parcels': .add, .put, .remove")
    nonisolated static func put(_: _Unlisted) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "list .update in the @Each of 'parcels': .add, .update, .remove")
    nonisolated static func update(_: _Unlisted) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "list .move in the @Each of 'parcels': .add, .remove, .move")
    nonisolated static func move(_: _Unlisted) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "list .replace in the @Each of 'parcels': .add, .remove, .replace")
    nonisolated static func replace(_: _Unlisted) -> Change { Swift.fatalError() }

    /// The payloads of verbs that no collection lists.
    nonisolated enum _Unlisted {
      nonisolated static func parcel(_: Parcel) -> _Unlisted { Swift.fatalError() }
      nonisolated static func parcel(_: Parcel.ID, to: Swift.Int) -> _Unlisted { Swift.fatalError() }
      nonisolated static func parcels(_: IdentityArray<Parcel>) -> _Unlisted { Swift.fatalError() }
    }
  }

  /// Why a change is refused.
  typealias Failure = AlterCore.Refusal

  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never

  /// The same properties in the same order, open to a change.
  private nonisolated struct _Fields {
    var owner: String
    var parcels: IdentityArray<Parcel>
  }

  /// Makes the change, or refuses it and changes nothing.
  nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) throws(AlterCore.Refusal) {
    // A change is made where the value is, as if its constants were variables.
    try AlterMacros._withUnsafeFields(of: &self, as: _Fields.self) { fields throws(AlterCore.Refusal) in
      switch change {
      case .add(.parcel(let value)): try fields.parcels._add(value, at: stamp)
      case .remove(.parcel(let id)): try fields.parcels.remove(id: id)
      case .owner(let value): fields.owner = value
      case .parcel(let id, let change): try fields.parcels._apply(change, to: id, at: stamp)
      }
    }
  }

  /// A value of these properties.
  nonisolated init(owner: String, parcels: IdentityArray<Parcel> = []) {
    self.owner = owner
    self.parcels = parcels
  }

  /// Reads the properties by their names.
  nonisolated init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.owner = try fields.value("owner")
    self.parcels = try fields.value("parcels")
  }

  /// Writes the properties by their names; an optional that is nil is left out.
  nonisolated func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.owner, "owner")
    try fields.write(self.parcels, "parcels")
  }

  /// Each value can be read again.
  nonisolated static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("owner") { (model: Self) in model.owner }
    form.part("parcels") { (model: Self) in model.parcels }
  }
  /// Reads the properties by their names, as they are stored.
  nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.owner = try reader.required("owner", in: &object)
    self.parcels = try reader.required("parcels", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.owner, "owner")
    try writer.field(self.parcels, "parcels")
    writer.endObject()
  }
}

enum Crate: Hashable {
  case empty
  case open(Load)

  private nonisolated static func _nested_open() { _ = AlterMacros._NestedIsAlterable<Load>.self }
  case sealed(Load)

  enum OwnChange: Hashable { case fill(Load), seal 
}

  mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
    switch (self, change) {
    case (.empty, .fill(let load)): self = .open(load)
    case (.open(let load), .seal): self = .sealed(load)
    case (.open, .fill), (.sealed, .fill): throw .illegal(from: "full", change: "fill")
    case (.empty, .seal), (.sealed, .seal): throw .illegal(from: "empty or sealed", change: "seal")
    }
  }

  /// The changes of `Crate`.
  nonisolated enum Change: Sendable, Hashable, Codable, AlterCore.StoredForm {
    case fill(Load)
    case seal
    /// Changes the payload of `.open`.
    indirect case load(Load.Change)

    /// Reads an object with one key, the name of the case.
    init(from decoder: any Decoder) throws {
      let wire = try AlterJournal.WireCase(of: Self.self, changing: Crate.self, from: decoder)
      switch wire.name {
      case "fill": self = .fill(try wire.value())
      case "seal":
        try wire.nothing()
        self = .seal
      case "load": self = .load(try wire.value())
      default: throw wire.unknown
      }
    }
    /// Writes an object with one key, the name of the case.
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .fill(let value): try AlterJournal.WireCase.encode("fill", value, to: encoder)
      case .seal: try AlterJournal.WireCase.encode("seal", to: encoder)
      case .load(let value): try AlterJournal.WireCase.encode("load", value, to: encoder)
      }
    }
    /// Each value can be read again.
    static var _isTotal: Swift.Bool { true }
    /// Describes the stored form, for its fingerprint.
    static func _describe(_ form: inout AlterCore.StoredFormDescription) {
      form.oneCase("fill")
      form.part("") { (one: Self) in
        guard case .fill(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("load")
      form.part("") { (one: Self) in
        guard case .load(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("seal")
    }
    /// Reads an object with one key, the name of the case, as it is stored.
    init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
      try reader.beginCase()
      if reader.isCase("fill") {
        self = .fill(try reader.value())
      } else if reader.isCase("seal") {
        try reader.nothing()
        self = .seal
      } else if reader.isCase("load") {
        self = .load(try reader.value())
      } else {
        throw AlterCore.StoredFormError()
      }
      try reader.endCase()
    }
    /// Writes an object with one key, the name of the case, as it is stored.
    func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
      switch self {
      case .fill(let part0):
        try writer.beginCase("fill")
        try writer.value(part0)
      case .seal:
        try writer.beginCase("seal")
        writer.bool(true)
      case .load(let part0):
        try writer.beginCase("load")
        try writer.value(part0)
      }
      writer.endObject()
    }
  }

  /// Why a change is refused.
  typealias Failure = AlterCore.Refusal

  /// The types of payloads, each of which has to be Codable.
  private nonisolated enum _Stored {
    typealias _open_value = AlterMacros._StoredIsCodable<Load>.Value
    typealias _sealed_value = AlterMacros._StoredIsCodable<Load>.Value
  }

  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never

  /// Makes the change, or refuses it and changes nothing.
  nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) throws(AlterCore.Refusal) {
    switch change {
    case .fill(let value0): try self.apply(OwnChange.fill(value0), at: stamp)
    case .seal: try self.apply(OwnChange.seal, at: stamp)
    case .load(let part):
      switch _stateIndex {
      case 1:
        // The payload moves out and back in, so that storage that is not shared changes in place.
        try AlterMacros._changePayload(
          of: &self, taking: { if case .open(let payload) = $0 { payload } else { fatalError() } },
          putting: { Self.open($0) }
        ) { payload throws(AlterCore.Refusal) in try payload._apply(part: part, at: stamp) }
      default: throw AlterCore.Refusal.illegal(from: Self._stateNames[_stateIndex], change: "load")
      }
    }
  }

  /// The position of the present state among the cases.
  private nonisolated var _stateIndex: Swift.Int {
    switch self {
    case .empty: 0
    case .open: 1
    case .sealed: 2
    }
  }

  private nonisolated static var _stateNames: [Swift.String] { ["empty", "open", "sealed"] }

  /// Reads an object with one key, the name of the case.
  nonisolated init(from decoder: any Decoder) throws {
    let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "empty":
      try wire.nothing()
      self = .empty
    case "open": self = .open(try wire.value() as _Stored._open_value)
    case "sealed": self = .sealed(try wire.value() as _Stored._sealed_value)
    default: throw wire.unknown
    }
  }
  /// Writes an object with one key, the name of the case.
  nonisolated func encode(to encoder: any Encoder) throws {
    switch self {
    case .empty: try AlterJournal.WireCase.encode("empty", to: encoder)
    case .open(let value): try AlterJournal.WireCase.encode("open", value as _Stored._open_value, to: encoder)
    case .sealed(let value): try AlterJournal.WireCase.encode("sealed", value as _Stored._sealed_value, to: encoder)
    }
  }
  /// Each value can be read again.
  nonisolated static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.oneCase("empty")
    form.oneCase("open")
    form.part("") { (one: Self) in
      guard case .open(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("sealed")
    form.part("") { (one: Self) in
      guard case .sealed(let part) = one else { Swift.fatalError() }
      return part
    }
  }
  /// Reads an object with one key, the name of the case, as it is stored.
  nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    try reader.beginCase()
    if reader.isCase("empty") {
      try reader.nothing()
      self = .empty
    } else if reader.isCase("open") {
      self = .open(try reader.value(_Stored._open_value.self))
    } else if reader.isCase("sealed") {
      self = .sealed(try reader.value(_Stored._sealed_value.self))
    } else {
      throw AlterCore.StoredFormError()
    }
    try reader.endCase()
  }
  /// Writes an object with one key, the name of the case, as it is stored.
  nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    switch self {
    case .empty:
      try writer.beginCase("empty")
      writer.bool(true)
    case .open(let part0):
      try writer.beginCase("open")
      try writer.value(part0 as _Stored._open_value)
    case .sealed(let part0):
      try writer.beginCase("sealed")
      try writer.value(part0 as _Stored._sealed_value)
    }
    writer.endObject()
  }
}

struct Rack: Hashable {
  let label: String
  let crate: Crate

  private typealias _nested_crate = AlterMacros._NestedIsAlterable<Crate>

  /// The changes of `Rack`.
  nonisolated enum Change: Sendable, Hashable, Codable, AlterCore.StoredForm {
    /// Sets `label`.
    case label(String)
    /// Changes the `crate`.
    indirect case crate(Crate.Change)

    /// Reads an object with one key, the name of the case.
    init(from decoder: any Decoder) throws {
      let wire = try AlterJournal.WireCase(of: Self.self, changing: Rack.self, from: decoder)
      switch wire.name {
      case "label": self = .label(try wire.value())
      case "crate": self = .crate(try wire.value() as _nested_crate.Change)
      default: throw wire.unknown
      }
    }
    /// Writes an object with one key, the name of the case.
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .label(let value): try AlterJournal.WireCase.encode("label", value, to: encoder)
      case .crate(let value): try AlterJournal.WireCase.encode("crate", value as _nested_crate.Change, to: encoder)
      }
    }
    /// Each value can be read again.
    static var _isTotal: Swift.Bool { true }
    /// Describes the stored form, for its fingerprint.
    static func _describe(_ form: inout AlterCore.StoredFormDescription) {
      form.oneCase("crate")
      form.part("") { (one: Self) in
        guard case .crate(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("label")
      form.part("") { (one: Self) in
        guard case .label(let part) = one else { Swift.fatalError() }
        return part
      }
    }
    /// Reads an object with one key, the name of the case, as it is stored.
    init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
      try reader.beginCase()
      if reader.isCase("label") {
        self = .label(try reader.value())
      } else if reader.isCase("crate") {
        self = .crate(try reader.value(_nested_crate.Change.self))
      } else {
        throw AlterCore.StoredFormError()
      }
      try reader.endCase()
    }
    /// Writes an object with one key, the name of the case, as it is stored.
    func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
      switch self {
      case .label(let part0):
        try writer.beginCase("label")
        try writer.value(part0)
      case .crate(let part0):
        try writer.beginCase("crate")
        try writer.value(part0 as _nested_crate.Change)
      }
      writer.endObject()
    }
  }

  /// Why a change is refused.
  typealias Failure = AlterCore.Refusal

  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never

  /// The same properties in the same order, open to a change.
  private nonisolated struct _Fields {
    var label: String
    var crate: Crate
  }

  /// Makes the change, or refuses it and changes nothing.
  nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) throws(AlterCore.Refusal) {
    // A change is made where the value is, as if its constants were variables.
    try AlterMacros._withUnsafeFields(of: &self, as: _Fields.self) { fields throws(AlterCore.Refusal) in
      switch change {
      case .label(let value): fields.label = value
      case .crate(let change): try fields.crate._apply(part: change, at: stamp)
      }
    }
  }

  /// A value of these properties.
  nonisolated init(label: String, crate: Crate) {
    self.label = label
    self.crate = crate
  }

  /// Reads the properties by their names.
  nonisolated init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.label = try fields.value("label")
    self.crate = try fields.value("crate")
  }

  /// Writes the properties by their names; an optional that is nil is left out.
  nonisolated func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.label, "label")
    try fields.write(self.crate, "crate")
  }

  /// Each value can be read again.
  nonisolated static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("crate") { (model: Self) in model.crate }
    form.part("label") { (model: Self) in model.label }
  }
  /// Reads the properties by their names, as they are stored.
  nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.crate = try reader.required("crate", in: &object)
    self.label = try reader.required("label", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.crate, "crate")
    try writer.field(self.label, "label")
    writer.endObject()
  }
}

struct Hall: Identifiable, Hashable {
  let id: Int
  let name: String
  let rack: Rack

  private typealias _nested_rack = AlterMacros._NestedIsAlterable<Rack>

  /// The changes of `Hall`.
  nonisolated enum Change: Sendable, Hashable, Codable, AlterCore.StoredForm {
    /// Sets `name`.
    case name(String)
    /// Changes the `rack`.
    indirect case rack(Rack.Change)

    /// Reads an object with one key, the name of the case.
    init(from decoder: any Decoder) throws {
      let wire = try AlterJournal.WireCase(of: Self.self, changing: Hall.self, from: decoder)
      switch wire.name {
      case "name": self = .name(try wire.value())
      case "rack": self = .rack(try wire.value() as _nested_rack.Change)
      default: throw wire.unknown
      }
    }
    /// Writes an object with one key, the name of the case.
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .name(let value): try AlterJournal.WireCase.encode("name", value, to: encoder)
      case .rack(let value): try AlterJournal.WireCase.encode("rack", value as _nested_rack.Change, to: encoder)
      }
    }
    /// Each value can be read again.
    static var _isTotal: Swift.Bool { true }
    /// Describes the stored form, for its fingerprint.
    static func _describe(_ form: inout AlterCore.StoredFormDescription) {
      form.oneCase("name")
      form.part("") { (one: Self) in
        guard case .name(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("rack")
      form.part("") { (one: Self) in
        guard case .rack(let part) = one else { Swift.fatalError() }
        return part
      }
    }
    /// Reads an object with one key, the name of the case, as it is stored.
    init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
      try reader.beginCase()
      if reader.isCase("name") {
        self = .name(try reader.value())
      } else if reader.isCase("rack") {
        self = .rack(try reader.value(_nested_rack.Change.self))
      } else {
        throw AlterCore.StoredFormError()
      }
      try reader.endCase()
    }
    /// Writes an object with one key, the name of the case, as it is stored.
    func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
      switch self {
      case .name(let part0):
        try writer.beginCase("name")
        try writer.value(part0)
      case .rack(let part0):
        try writer.beginCase("rack")
        try writer.value(part0 as _nested_rack.Change)
      }
      writer.endObject()
    }
  }

  /// Why a change is refused.
  typealias Failure = AlterCore.Refusal

  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never

  /// The same properties in the same order, open to a change.
  private nonisolated struct _Fields {
    let id: Int
    var name: String
    var rack: Rack
  }

  /// Makes the change, or refuses it and changes nothing.
  nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) throws(AlterCore.Refusal) {
    // A change is made where the value is, as if its constants were variables.
    try AlterMacros._withUnsafeFields(of: &self, as: _Fields.self) { fields throws(AlterCore.Refusal) in
      switch change {
      case .name(let value): fields.name = value
      case .rack(let change): try fields.rack._apply(part: change, at: stamp)
      }
    }
  }

  /// A value of these properties.
  nonisolated init(id: Int, name: String, rack: Rack) {
    self.id = id
    self.name = name
    self.rack = rack
  }

  /// Reads the properties by their names.
  nonisolated init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.id = try fields.value("id")
    self.name = try fields.value("name")
    self.rack = try fields.value("rack")
  }

  /// Writes the properties by their names; an optional that is nil is left out.
  nonisolated func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.id, "id")
    try fields.write(self.name, "name")
    try fields.write(self.rack, "rack")
  }

  /// Each value can be read again.
  nonisolated static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("id") { (model: Self) in model.id }
    form.part("name") { (model: Self) in model.name }
    form.part("rack") { (model: Self) in model.rack }
  }
  /// Reads the properties by their names, as they are stored.
  nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.id = try reader.required("id", in: &object)
    self.name = try reader.required("name", in: &object)
    self.rack = try reader.required("rack", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.id, "id")
    try writer.field(self.name, "name")
    try writer.field(self.rack, "rack")
    writer.endObject()
  }
}

struct Warehouse: Hashable {
  let town: String
  let halls: IdentityArray<Hall>

  private typealias _each_halls = AlterMacros._EachIsAlterable<Hall>

  /// The changes of `Warehouse`.
  nonisolated enum Change: Sendable, Hashable, Codable, AlterCore.StoredForm {
    /// Adds an element at the end. Refused if its id exists already.
    indirect case add(ElementValue)
    /// Removes an element. Refused if it does not exist.
    case remove(ElementID)
    /// Sets `town`.
    case town(String)
    /// Changes one of the `halls`.
    indirect case hall(Hall.ID, Hall.Change)

    /// Reads an object with one key, the name of the case.
    init(from decoder: any Decoder) throws {
      let wire = try AlterJournal.WireCase(of: Self.self, changing: Warehouse.self, from: decoder)
      switch wire.name {
      case "add": self = .add(try wire.value())
      case "remove": self = .remove(try wire.value())
      case "town": self = .town(try wire.value())
      case "hall": self = try wire.path { (id: _each_halls.ID, change: _each_halls.Change) in Self.hall(id, change) }
      default: throw wire.unknown
      }
    }
    /// Writes an object with one key, the name of the case.
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .add(let value): try AlterJournal.WireCase.encode("add", value, to: encoder)
      case .remove(let value): try AlterJournal.WireCase.encode("remove", value, to: encoder)
      case .town(let value): try AlterJournal.WireCase.encode("town", value, to: encoder)
      case .hall(let id, let change): try AlterJournal.WireCase.encode("hall", id: id as _each_halls.ID, change: change as _each_halls.Change, to: encoder)
      }
    }
    /// Each value can be read again.
    static var _isTotal: Swift.Bool { true }
    /// Describes the stored form, for its fingerprint.
    static func _describe(_ form: inout AlterCore.StoredFormDescription) {
      form.oneCase("add")
      form.part("") { (one: Self) in
        guard case .add(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("hall")
      form.part("change") { (one: Self) -> _each_halls.Change in
        guard case .hall(let part0, let part1) = one else { Swift.fatalError() }
        return (part0, part1).1
      }
      form.part("id") { (one: Self) -> _each_halls.ID in
        guard case .hall(let part0, let part1) = one else { Swift.fatalError() }
        return (part0, part1).0
      }
      form.oneCase("remove")
      form.part("") { (one: Self) in
        guard case .remove(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("town")
      form.part("") { (one: Self) in
        guard case .town(let part) = one else { Swift.fatalError() }
        return part
      }
    }
    /// Reads an object with one key, the name of the case, as it is stored.
    init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
      try reader.beginCase()
      if reader.isCase("add") {
        self = .add(try reader.value())
      } else if reader.isCase("remove") {
        self = .remove(try reader.value())
      } else if reader.isCase("town") {
        self = .town(try reader.value())
      } else if reader.isCase("hall") {
        var object = try reader.beginObject()
        self = try AlterCore.StoredReader.value(of: reader.required("change", in: &object) as _each_halls.Change, reader.required("id", in: &object) as _each_halls.ID) { (part0: _each_halls.Change, part1: _each_halls.ID) in Self.hall(part1, part0) }
        try reader.endObject(&object)
      } else {
        throw AlterCore.StoredFormError()
      }
      try reader.endCase()
    }
    /// Writes an object with one key, the name of the case, as it is stored.
    func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
      switch self {
      case .add(let part0):
        try writer.beginCase("add")
        try writer.value(part0)
      case .remove(let part0):
        try writer.beginCase("remove")
        try writer.value(part0)
      case .town(let part0):
        try writer.beginCase("town")
        try writer.value(part0)
      case .hall(let part0, let part1):
        try writer.beginCase("hall")
        try writer.beginObject()
        writer.key("change")
        try writer.value(part1 as _each_halls.Change)
        writer.key("id")
        try writer.value(part0 as _each_halls.ID)
        writer.endObject()
      }
      writer.endObject()
    }

    /// An element of one of the collections.
    nonisolated enum ElementValue: Sendable, Hashable, Codable, AlterCore.StoredForm {
      /// One of the `halls`.
      case hall(Hall)

      /// Reads an object with one key, the name of the case.
      init(from decoder: any Decoder) throws {
        let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
        switch wire.name {
        case "hall": self = .hall(try wire.value() as _each_halls.Element)
        default: throw wire.unknown
        }
      }
      /// Writes an object with one key, the name of the case.
      func encode(to encoder: any Encoder) throws {
        switch self {
        case .hall(let value): try AlterJournal.WireCase.encode("hall", value as _each_halls.Element, to: encoder)
        }
      }
      /// Each value can be read again.
      static var _isTotal: Swift.Bool { true }
      /// Describes the stored form, for its fingerprint.
      static func _describe(_ form: inout AlterCore.StoredFormDescription) {
        form.oneCase("hall")
        form.part("") { (one: Self) in
          guard case .hall(let part) = one else { Swift.fatalError() }
          return part
        }
      }
      /// Reads an object with one key, the name of the case, as it is stored.
      init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
        try reader.beginCase()
        if reader.isCase("hall") {
          self = .hall(try reader.value(_each_halls.Element.self))
        } else {
          throw AlterCore.StoredFormError()
        }
        try reader.endCase()
      }
      /// Writes an object with one key, the name of the case, as it is stored.
      func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
        switch self {
        case .hall(let part0):
          try writer.beginCase("hall")
          try writer.value(part0 as _each_halls.Element)
        }
        writer.endObject()
      }
    }

    /// The id of an element of one of the collections.
    nonisolated enum ElementID: Sendable, Hashable, Codable, AlterCore.StoredForm {
      /// One of the `halls`.
      case hall(Hall.ID)
      /// One of the `halls`, by any version of its value.
      @_disfavoredOverload
      nonisolated static func hall(_ value: Hall, _: Void = ()) -> ElementID { .hall(value.id) }

      /// Reads an object with one key, the name of the case.
      init(from decoder: any Decoder) throws {
        let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
        switch wire.name {
        case "hall": self = .hall(try wire.value() as _each_halls.ID)
        default: throw wire.unknown
        }
      }
      /// Writes an object with one key, the name of the case.
      func encode(to encoder: any Encoder) throws {
        switch self {
        case .hall(let value): try AlterJournal.WireCase.encode("hall", value as _each_halls.ID, to: encoder)
        }
      }
      /// Each value can be read again.
      static var _isTotal: Swift.Bool { true }
      /// Describes the stored form, for its fingerprint.
      static func _describe(_ form: inout AlterCore.StoredFormDescription) {
        form.oneCase("hall")
        form.part("") { (one: Self) in
          guard case .hall(let part) = one else { Swift.fatalError() }
          return part
        }
      }
      /// Reads an object with one key, the name of the case, as it is stored.
      init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
        try reader.beginCase()
        if reader.isCase("hall") {
          self = .hall(try reader.value(_each_halls.ID.self))
        } else {
          throw AlterCore.StoredFormError()
        }
        try reader.endCase()
      }
      /// Writes an object with one key, the name of the case, as it is stored.
      func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
        switch self {
        case .hall(let part0):
          try writer.beginCase("hall")
          try writer.value(part0 as _each_halls.ID)
        }
        writer.endObject()
      }
    }

    @available(*, unavailable, message: "list .put in the @Each of 'halls': .add, .put, .remove")
    nonisolated static func put(_: _Unlisted) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "list .update in the @Each of 'halls': .add, .update, .remove")
    nonisolated static func update(_: _Unlisted) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "list .move in the @Each of 'halls': .add, .remove, .move")
    nonisolated static func move(_: _Unlisted) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "list .replace in the @Each of 'halls': .add, .remove, .replace")
    nonisolated static func replace(_: _Unlisted) -> Change { Swift.fatalError() }

    /// The payloads of verbs that no collection lists.
    nonisolated enum _Unlisted {
      nonisolated static func hall(_: Hall) -> _Unlisted { Swift.fatalError() }
      nonisolated static func hall(_: Hall.ID, to: Swift.Int) -> _Unlisted { Swift.fatalError() }
      nonisolated static func halls(_: IdentityArray<Hall>) -> _Unlisted { Swift.fatalError() }
    }
  }

  /// Why a change is refused.
  typealias Failure = AlterCore.Refusal

  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never

  /// The same properties in the same order, open to a change.
  private nonisolated struct _Fields {
    var town: String
    var halls: IdentityArray<Hall>
  }

  /// Makes the change, or refuses it and changes nothing.
  nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) throws(AlterCore.Refusal) {
    // A change is made where the value is, as if its constants were variables.
    try AlterMacros._withUnsafeFields(of: &self, as: _Fields.self) { fields throws(AlterCore.Refusal) in
      switch change {
      case .add(.hall(let value)): try fields.halls._add(value, at: stamp)
      case .remove(.hall(let id)): try fields.halls.remove(id: id)
      case .town(let value): fields.town = value
      case .hall(let id, let change): try fields.halls._apply(change, to: id, at: stamp)
      }
    }
  }

  /// A value of these properties.
  nonisolated init(town: String, halls: IdentityArray<Hall> = []) {
    self.town = town
    self.halls = halls
  }

  /// Reads the properties by their names.
  nonisolated init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.town = try fields.value("town")
    self.halls = try fields.value("halls")
  }

  /// Writes the properties by their names; an optional that is nil is left out.
  nonisolated func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.town, "town")
    try fields.write(self.halls, "halls")
  }

  /// Each value can be read again.
  nonisolated static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("halls") { (model: Self) in model.halls }
    form.part("town") { (model: Self) in model.town }
  }
  /// Reads the properties by their names, as they are stored.
  nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.halls = try reader.required("halls", in: &object)
    self.town = try reader.required("town", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.halls, "halls")
    try writer.field(self.town, "town")
    writer.endObject()
  }
}

nonisolated extension Parcel: AlterJournal.Journaled, AlterCore.StoredForm {}

nonisolated extension Load: AlterJournal.Journaled, AlterCore.StoredForm {}

nonisolated extension Crate.OwnChange: Codable, AlterCore.StoredForm {
  /// Reads an object with one key, the name of the case.
  init(from decoder: any Decoder) throws {
    let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "fill": self = .fill(try wire.value())
    case "seal":
      try wire.nothing()
      self = .seal
    default: throw wire.unknown
    }
  }
  /// Writes an object with one key, the name of the case.
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .fill(let value): try AlterJournal.WireCase.encode("fill", value, to: encoder)
    case .seal: try AlterJournal.WireCase.encode("seal", to: encoder)
    }
  }
  /// Each value can be read again.
  static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.oneCase("fill")
    form.part("") { (one: Self) in
      guard case .fill(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("seal")
  }
  /// Reads an object with one key, the name of the case, as it is stored.
  init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    try reader.beginCase()
    if reader.isCase("fill") {
      self = .fill(try reader.value())
    } else if reader.isCase("seal") {
      try reader.nothing()
      self = .seal
    } else {
      throw AlterCore.StoredFormError()
    }
    try reader.endCase()
  }
  /// Writes an object with one key, the name of the case, as it is stored.
  func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    switch self {
    case .fill(let part0):
      try writer.beginCase("fill")
      try writer.value(part0)
    case .seal:
      try writer.beginCase("seal")
      writer.bool(true)
    }
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}

nonisolated extension Crate: AlterJournal.Journaled, AlterCore.StoredForm {}

nonisolated extension Rack: AlterJournal.Journaled, AlterCore.StoredForm {}

nonisolated extension Hall: AlterJournal.Journaled, AlterCore.StoredForm {}

nonisolated extension Warehouse: AlterJournal.Journaled, AlterCore.StoredForm {}
