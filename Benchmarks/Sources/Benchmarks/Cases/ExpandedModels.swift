// swift-format-ignore-file

import Alter

// MARK: - Written by the macros
//
// To write this again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests

struct Line: Identifiable, Hashable {
  let id: Int
  let text: String
  let isDone: Bool

  /// The changes of `Line`.
  nonisolated enum Change: Sendable, Hashable, Codable, AlterCore.StoredForm {
    /// Sets `text`.
    case text(String)
    /// Sets `isDone`.
    case isDone(Bool)

    /// Reads an object with one key, the name of the case.
    init(from decoder: any Decoder) throws {
      let wire = try AlterJournal.WireCase(of: Self.self, changing: Line.self, from: decoder)
      switch wire.name {
      case "text": self = .text(try wire.value())
      case "isDone": self = .isDone(try wire.value())
      default: throw wire.unknown
      }
    }
    /// Writes an object with one key, the name of the case.
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .text(let value): try AlterJournal.WireCase.encode("text", value, to: encoder)
      case .isDone(let value): try AlterJournal.WireCase.encode("isDone", value, to: encoder)
      }
    }
    /// Each value can be read again.
    static var _isTotal: Swift.Bool { true }
    /// Describes the stored form, for its fingerprint.
    static func _describe(_ form: inout AlterCore.StoredFormDescription) {
      form.oneCase("isDone")
      form.part("") { (one: Self) in
        guard case .isDone(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("text")
      form.part("") { (one: Self) in
        guard case .text(let part) = one else { Swift.fatalError() }
        return part
      }
    }
    /// Reads an object with one key, the name of the case, as it is stored.
    init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
      try reader.beginCase()
      if reader.isCase("text") {
        self = .text(try reader.value())
      } else if reader.isCase("isDone") {
        self = .isDone(try reader.value())
      } else {
        throw AlterCore.StoredFormError()
      }
      try reader.endCase()
    }
    /// Writes an object with one key, the name of the case, as it is stored.
    func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
      switch self {
      case .text(let part0):
        try writer.beginCase("text")
        try writer.value(part0)
      case .isDone(let part0):
        try writer.beginCase("isDone")
        try writer.value(part0)
      }
      writer.endObject()
    }
  }

  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never

  /// The same properties in the same order, open to a change.
  private nonisolated struct _Fields {
    let id: Int
    var text: String
    var isDone: Bool
  }

  /// Makes the change.
  nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) {
    // A change is made where the value is, as if its constants were variables.
    AlterMacros._withUnsafeFields(of: &self, as: _Fields.self) { fields in
      switch change {
      case .text(let value): fields.text = value
      case .isDone(let value): fields.isDone = value
      }
    }
  }

  /// A value of these properties.
  nonisolated init(id: Int, text: String, isDone: Bool) {
    self.id = id
    self.text = text
    self.isDone = isDone
  }

  /// Reads the properties by their names.
  nonisolated init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.id = try fields.value("id")
    self.text = try fields.value("text")
    self.isDone = try fields.value("isDone")
  }

  /// Writes the properties by their names; an optional that is nil is left out.
  nonisolated func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.id, "id")
    try fields.write(self.text, "text")
    try fields.write(self.isDone, "isDone")
  }

  /// Each value can be read again.
  nonisolated static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("id") { (model: Self) in model.id }
    form.part("isDone") { (model: Self) in model.isDone }
    form.part("text") { (model: Self) in model.text }
  }
  /// Reads the properties by their names, as they are stored.
  nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.id = try reader.required("id", in: &object)
    self.isDone = try reader.required("isDone", in: &object)
    self.text = try reader.required("text", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.id, "id")
    try writer.field(self.isDone, "isDone")
    try writer.field(self.text, "text")
    writer.endObject()
  }
}

struct Document: Hashable {
  let title: String
  let subtitle: String
  let author: String?
  let count: Int
  let size: Int
  let ratio: Double
  let isOpen: Bool
  let names: [String]
  let numbers: [Int]
  let lines: IdentityArray<Line>

  private typealias _each_lines = AlterMacros._EachIsAlterable<Line>

  /// The changes of `Document`.
  nonisolated enum Change: Sendable, Hashable, Codable, AlterCore.StoredForm {
    /// Adds an element at the end. Refused if its id exists already.
    indirect case add(ElementValue)
    /// Removes an element. Refused if it does not exist.
    case remove(ElementID)
    /// Sets `title`.
    case title(String)
    /// Sets `subtitle`.
    case subtitle(String)
    /// Sets `author`.
    case author(String?)
    /// Sets `count`.
    case count(Int)
    /// Sets `size`.
    case size(Int)
    /// Sets `ratio`.
    case ratio(Double)
    /// Sets `isOpen`.
    case isOpen(Bool)
    /// Sets `names`.
    case names([String])
    /// Sets `numbers`.
    case numbers([Int])
    /// Changes one of the `lines`.
    indirect case line(Line.ID, Line.Change)

    /// Reads an object with one key, the name of the case.
    init(from decoder: any Decoder) throws {
      let wire = try AlterJournal.WireCase(of: Self.self, changing: Document.self, from: decoder)
      switch wire.name {
      case "add": self = .add(try wire.value())
      case "remove": self = .remove(try wire.value())
      case "title": self = .title(try wire.value())
      case "subtitle": self = .subtitle(try wire.value())
      case "author": self = .author(try wire.value())
      case "count": self = .count(try wire.value())
      case "size": self = .size(try wire.value())
      case "ratio": self = .ratio(try wire.value())
      case "isOpen": self = .isOpen(try wire.value())
      case "names": self = .names(try wire.value())
      case "numbers": self = .numbers(try wire.value())
      case "line": self = try wire.path { (id: _each_lines.ID, change: _each_lines.Change) in Self.line(id, change) }
      default: throw wire.unknown
      }
    }
    /// Writes an object with one key, the name of the case.
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .add(let value): try AlterJournal.WireCase.encode("add", value, to: encoder)
      case .remove(let value): try AlterJournal.WireCase.encode("remove", value, to: encoder)
      case .title(let value): try AlterJournal.WireCase.encode("title", value, to: encoder)
      case .subtitle(let value): try AlterJournal.WireCase.encode("subtitle", value, to: encoder)
      case .author(let value): try AlterJournal.WireCase.encode("author", value, to: encoder)
      case .count(let value): try AlterJournal.WireCase.encode("count", value, to: encoder)
      case .size(let value): try AlterJournal.WireCase.encode("size", value, to: encoder)
      case .ratio(let value): try AlterJournal.WireCase.encode("ratio", value, to: encoder)
      case .isOpen(let value): try AlterJournal.WireCase.encode("isOpen", value, to: encoder)
      case .names(let value): try AlterJournal.WireCase.encode("names", value, to: encoder)
      case .numbers(let value): try AlterJournal.WireCase.encode("numbers", value, to: encoder)
      case .line(let id, let change): try AlterJournal.WireCase.encode("line", id: id as _each_lines.ID, change: change as _each_lines.Change, to: encoder)
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
      form.oneCase("author")
      form.part("") { (one: Self) in
        guard case .author(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("count")
      form.part("") { (one: Self) in
        guard case .count(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("isOpen")
      form.part("") { (one: Self) in
        guard case .isOpen(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("line")
      form.part("change") { (one: Self) -> _each_lines.Change in
        guard case .line(let part0, let part1) = one else { Swift.fatalError() }
        return (part0, part1).1
      }
      form.part("id") { (one: Self) -> _each_lines.ID in
        guard case .line(let part0, let part1) = one else { Swift.fatalError() }
        return (part0, part1).0
      }
      form.oneCase("names")
      form.part("") { (one: Self) in
        guard case .names(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("numbers")
      form.part("") { (one: Self) in
        guard case .numbers(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("ratio")
      form.part("") { (one: Self) in
        guard case .ratio(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("remove")
      form.part("") { (one: Self) in
        guard case .remove(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("size")
      form.part("") { (one: Self) in
        guard case .size(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("subtitle")
      form.part("") { (one: Self) in
        guard case .subtitle(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("title")
      form.part("") { (one: Self) in
        guard case .title(let part) = one else { Swift.fatalError() }
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
      } else if reader.isCase("title") {
        self = .title(try reader.value())
      } else if reader.isCase("subtitle") {
        self = .subtitle(try reader.value())
      } else if reader.isCase("author") {
        self = .author(try reader.value())
      } else if reader.isCase("count") {
        self = .count(try reader.value())
      } else if reader.isCase("size") {
        self = .size(try reader.value())
      } else if reader.isCase("ratio") {
        self = .ratio(try reader.value())
      } else if reader.isCase("isOpen") {
        self = .isOpen(try reader.value())
      } else if reader.isCase("names") {
        self = .names(try reader.value())
      } else if reader.isCase("numbers") {
        self = .numbers(try reader.value())
      } else if reader.isCase("line") {
        var object = try reader.beginObject()
        self = try AlterCore.StoredReader.value(of: reader.required("change", in: &object) as _each_lines.Change, reader.required("id", in: &object) as _each_lines.ID) { (part0: _each_lines.Change, part1: _each_lines.ID) in Self.line(part1, part0) }
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
      case .title(let part0):
        try writer.beginCase("title")
        try writer.value(part0)
      case .subtitle(let part0):
        try writer.beginCase("subtitle")
        try writer.value(part0)
      case .author(let part0):
        try writer.beginCase("author")
        try writer.value(part0)
      case .count(let part0):
        try writer.beginCase("count")
        try writer.value(part0)
      case .size(let part0):
        try writer.beginCase("size")
        try writer.value(part0)
      case .ratio(let part0):
        try writer.beginCase("ratio")
        try writer.value(part0)
      case .isOpen(let part0):
        try writer.beginCase("isOpen")
        try writer.value(part0)
      case .names(let part0):
        try writer.beginCase("names")
        try writer.value(part0)
      case .numbers(let part0):
        try writer.beginCase("numbers")
        try writer.value(part0)
      case .line(let part0, let part1):
        try writer.beginCase("line")
        try writer.beginObject()
        writer.key("change")
        try writer.value(part1 as _each_lines.Change)
        writer.key("id")
        try writer.value(part0 as _each_lines.ID)
        writer.endObject()
      }
      writer.endObject()
    }

    @available(*, unavailable, message: "write @Changes before 'count'")
    nonisolated static func count(by _: Int) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "write @Changes before 'size'")
    nonisolated static func size(by _: Int) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "write @Changes before 'ratio'")
    nonisolated static func ratio(by _: Double) -> Change { Swift.fatalError() }

    /// An element of one of the collections.
    nonisolated enum ElementValue: Sendable, Hashable, Codable, AlterCore.StoredForm {
      /// One of the `lines`.
      case line(Line)

      /// Reads an object with one key, the name of the case.
      init(from decoder: any Decoder) throws {
        let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
        switch wire.name {
        case "line": self = .line(try wire.value() as _each_lines.Element)
        default: throw wire.unknown
        }
      }
      /// Writes an object with one key, the name of the case.
      func encode(to encoder: any Encoder) throws {
        switch self {
        case .line(let value): try AlterJournal.WireCase.encode("line", value as _each_lines.Element, to: encoder)
        }
      }
      /// Each value can be read again.
      static var _isTotal: Swift.Bool { true }
      /// Describes the stored form, for its fingerprint.
      static func _describe(_ form: inout AlterCore.StoredFormDescription) {
        form.oneCase("line")
        form.part("") { (one: Self) in
          guard case .line(let part) = one else { Swift.fatalError() }
          return part
        }
      }
      /// Reads an object with one key, the name of the case, as it is stored.
      init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
        try reader.beginCase()
        if reader.isCase("line") {
          self = .line(try reader.value(_each_lines.Element.self))
        } else {
          throw AlterCore.StoredFormError()
        }
        try reader.endCase()
      }
      /// Writes an object with one key, the name of the case, as it is stored.
      func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
        switch self {
        case .line(let part0):
          try writer.beginCase("line")
          try writer.value(part0 as _each_lines.Element)
        }
        writer.endObject()
      }
    }

    /// The id of an element of one of the collections.
    nonisolated enum ElementID: Sendable, Hashable, Codable, AlterCore.StoredForm {
      /// One of the `lines`.
      case line(Line.ID)
      /// One of the `lines`, by any version of its value.
      @_disfavoredOverload
      nonisolated static func line(_ value: Line, _: Void = ()) -> ElementID { .line(value.id) }

      /// Reads an object with one key, the name of the case.
      init(from decoder: any Decoder) throws {
        let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
        switch wire.name {
        case "line": self = .line(try wire.value() as _each_lines.ID)
        default: throw wire.unknown
        }
      }
      /// Writes an object with one key, the name of the case.
      func encode(to encoder: any Encoder) throws {
        switch self {
        case .line(let value): try AlterJournal.WireCase.encode("line", value as _each_lines.ID, to: encoder)
        }
      }
      /// Each value can be read again.
      static var _isTotal: Swift.Bool { true }
      /// Describes the stored form, for its fingerprint.
      static func _describe(_ form: inout AlterCore.StoredFormDescription) {
        form.oneCase("line")
        form.part("") { (one: Self) in
          guard case .line(let part) = one else { Swift.fatalError() }
          return part
        }
      }
      /// Reads an object with one key, the name of the case, as it is stored.
      init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
        try reader.beginCase()
        if reader.isCase("line") {
          self = .line(try reader.value(_each_lines.ID.self))
        } else {
          throw AlterCore.StoredFormError()
        }
        try reader.endCase()
      }
      /// Writes an object with one key, the name of the case, as it is stored.
      func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
        switch self {
        case .line(let part0):
          try writer.beginCase("line")
          try writer.value(part0 as _each_lines.ID)
        }
        writer.endObject()
      }
    }

    @available(*, unavailable, message: "list .put in the @Each of 'lines': .add, .put, .remove")
    nonisolated static func put(_: _Unlisted) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "list .update in the @Each of 'lines': .add, .update, .remove")
    nonisolated static func update(_: _Unlisted) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "list .move in the @Each of 'lines': .add, .remove, .move")
    nonisolated static func move(_: _Unlisted) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "list .replace in the @Each of 'lines': .add, .remove, .replace")
    nonisolated static func replace(_: _Unlisted) -> Change { Swift.fatalError() }

    /// The payloads of verbs that no collection lists.
    nonisolated enum _Unlisted {
      nonisolated static func line(_: Line) -> _Unlisted { Swift.fatalError() }
      nonisolated static func line(_: Line.ID, to: Swift.Int) -> _Unlisted { Swift.fatalError() }
      nonisolated static func lines(_: IdentityArray<Line>) -> _Unlisted { Swift.fatalError() }
    }
  }

  /// Why a change is refused.
  typealias Failure = AlterCore.Refusal

  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never

  /// The same properties in the same order, open to a change.
  private nonisolated struct _Fields {
    var title: String
    var subtitle: String
    var author: String?
    var count: Int
    var size: Int
    var ratio: Double
    var isOpen: Bool
    var names: [String]
    var numbers: [Int]
    var lines: IdentityArray<Line>
  }

  /// Makes the change, or refuses it and changes nothing.
  nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) throws(AlterCore.Refusal) {
    // A change is made where the value is, as if its constants were variables.
    try AlterMacros._withUnsafeFields(of: &self, as: _Fields.self) { fields throws(AlterCore.Refusal) in
      switch change {
      case .add(.line(let value)): try fields.lines._add(value, at: stamp)
      case .remove(.line(let id)): try fields.lines.remove(id: id)
      case .title(let value): fields.title = value
      case .subtitle(let value): fields.subtitle = value
      case .author(let value): fields.author = value
      case .count(let value): fields.count = value
      case .size(let value): fields.size = value
      case .ratio(let value): fields.ratio = value
      case .isOpen(let value): fields.isOpen = value
      case .names(let value): fields.names = value
      case .numbers(let value): fields.numbers = value
      case .line(let id, let change): try fields.lines._apply(change, to: id, at: stamp)
      }
    }
  }

  /// A value of these properties.
  nonisolated init(title: String, subtitle: String, author: String? = nil, count: Int, size: Int, ratio: Double, isOpen: Bool, names: [String], numbers: [Int], lines: IdentityArray<Line> = []) {
    self.title = title
    self.subtitle = subtitle
    self.author = author
    self.count = count
    self.size = size
    self.ratio = ratio
    self.isOpen = isOpen
    self.names = names
    self.numbers = numbers
    self.lines = lines
  }

  /// Reads the properties by their names.
  nonisolated init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.title = try fields.value("title")
    self.subtitle = try fields.value("subtitle")
    self.author = try fields.value("author")
    self.count = try fields.value("count")
    self.size = try fields.value("size")
    self.ratio = try fields.value("ratio")
    self.isOpen = try fields.value("isOpen")
    self.names = try fields.value("names")
    self.numbers = try fields.value("numbers")
    self.lines = try fields.value("lines")
  }

  /// Writes the properties by their names; an optional that is nil is left out.
  nonisolated func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.title, "title")
    try fields.write(self.subtitle, "subtitle")
    try fields.write(self.author, "author")
    try fields.write(self.count, "count")
    try fields.write(self.size, "size")
    try fields.write(self.ratio, "ratio")
    try fields.write(self.isOpen, "isOpen")
    try fields.write(self.names, "names")
    try fields.write(self.numbers, "numbers")
    try fields.write(self.lines, "lines")
  }

  /// Each value can be read again.
  nonisolated static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("author") { (model: Self) in model.author }
    form.part("count") { (model: Self) in model.count }
    form.part("isOpen") { (model: Self) in model.isOpen }
    form.part("lines") { (model: Self) in model.lines }
    form.part("names") { (model: Self) in model.names }
    form.part("numbers") { (model: Self) in model.numbers }
    form.part("ratio") { (model: Self) in model.ratio }
    form.part("size") { (model: Self) in model.size }
    form.part("subtitle") { (model: Self) in model.subtitle }
    form.part("title") { (model: Self) in model.title }
  }
  /// Reads the properties by their names, as they are stored.
  nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.author = try reader.optional("author", in: &object)
    self.count = try reader.required("count", in: &object)
    self.isOpen = try reader.required("isOpen", in: &object)
    self.lines = try reader.required("lines", in: &object)
    self.names = try reader.required("names", in: &object)
    self.numbers = try reader.required("numbers", in: &object)
    self.ratio = try reader.required("ratio", in: &object)
    self.size = try reader.required("size", in: &object)
    self.subtitle = try reader.required("subtitle", in: &object)
    self.title = try reader.required("title", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.author, "author")
    try writer.field(self.count, "count")
    try writer.field(self.isOpen, "isOpen")
    try writer.field(self.lines, "lines")
    try writer.field(self.names, "names")
    try writer.field(self.numbers, "numbers")
    try writer.field(self.ratio, "ratio")
    try writer.field(self.size, "size")
    try writer.field(self.subtitle, "subtitle")
    try writer.field(self.title, "title")
    writer.endObject()
  }
}

struct TenFields: Hashable {
  private(set) var count: Int = 0
  private(set) var title: String = "A title"
  private(set) var subtitle: String = "A subtitle"
  private(set) var first: Int = 1
  private(set) var second: Double = 2
  private(set) var third: Bool = false
  private(set) var names: [String] = ["a", "b", "c"]
  private(set) var numbers: [Int] = [1, 2, 3]
  private(set) var parent: String? = nil
  private(set) var last: Int = 0

  /// The changes of `TenFields`.
  nonisolated enum Change: Sendable, Hashable, Codable, AlterCore.StoredForm {
    /// Sets `count`.
    case count(Int)
    /// Sets `title`.
    case title(String)
    /// Sets `subtitle`.
    case subtitle(String)
    /// Sets `first`.
    case first(Int)
    /// Sets `second`.
    case second(Double)
    /// Sets `third`.
    case third(Bool)
    /// Sets `names`.
    case names([String])
    /// Sets `numbers`.
    case numbers([Int])
    /// Sets `parent`.
    case parent(String?)
    /// Sets `last`.
    case last(Int)

    /// Reads an object with one key, the name of the case.
    init(from decoder: any Decoder) throws {
      let wire = try AlterJournal.WireCase(of: Self.self, changing: TenFields.self, from: decoder)
      switch wire.name {
      case "count": self = .count(try wire.value())
      case "title": self = .title(try wire.value())
      case "subtitle": self = .subtitle(try wire.value())
      case "first": self = .first(try wire.value())
      case "second": self = .second(try wire.value())
      case "third": self = .third(try wire.value())
      case "names": self = .names(try wire.value())
      case "numbers": self = .numbers(try wire.value())
      case "parent": self = .parent(try wire.value())
      case "last": self = .last(try wire.value())
      default: throw wire.unknown
      }
    }
    /// Writes an object with one key, the name of the case.
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .count(let value): try AlterJournal.WireCase.encode("count", value, to: encoder)
      case .title(let value): try AlterJournal.WireCase.encode("title", value, to: encoder)
      case .subtitle(let value): try AlterJournal.WireCase.encode("subtitle", value, to: encoder)
      case .first(let value): try AlterJournal.WireCase.encode("first", value, to: encoder)
      case .second(let value): try AlterJournal.WireCase.encode("second", value, to: encoder)
      case .third(let value): try AlterJournal.WireCase.encode("third", value, to: encoder)
      case .names(let value): try AlterJournal.WireCase.encode("names", value, to: encoder)
      case .numbers(let value): try AlterJournal.WireCase.encode("numbers", value, to: encoder)
      case .parent(let value): try AlterJournal.WireCase.encode("parent", value, to: encoder)
      case .last(let value): try AlterJournal.WireCase.encode("last", value, to: encoder)
      }
    }
    /// Each value can be read again.
    static var _isTotal: Swift.Bool { true }
    /// Describes the stored form, for its fingerprint.
    static func _describe(_ form: inout AlterCore.StoredFormDescription) {
      form.oneCase("count")
      form.part("") { (one: Self) in
        guard case .count(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("first")
      form.part("") { (one: Self) in
        guard case .first(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("last")
      form.part("") { (one: Self) in
        guard case .last(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("names")
      form.part("") { (one: Self) in
        guard case .names(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("numbers")
      form.part("") { (one: Self) in
        guard case .numbers(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("parent")
      form.part("") { (one: Self) in
        guard case .parent(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("second")
      form.part("") { (one: Self) in
        guard case .second(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("subtitle")
      form.part("") { (one: Self) in
        guard case .subtitle(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("third")
      form.part("") { (one: Self) in
        guard case .third(let part) = one else { Swift.fatalError() }
        return part
      }
      form.oneCase("title")
      form.part("") { (one: Self) in
        guard case .title(let part) = one else { Swift.fatalError() }
        return part
      }
    }
    /// Reads an object with one key, the name of the case, as it is stored.
    init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
      try reader.beginCase()
      if reader.isCase("count") {
        self = .count(try reader.value())
      } else if reader.isCase("title") {
        self = .title(try reader.value())
      } else if reader.isCase("subtitle") {
        self = .subtitle(try reader.value())
      } else if reader.isCase("first") {
        self = .first(try reader.value())
      } else if reader.isCase("second") {
        self = .second(try reader.value())
      } else if reader.isCase("third") {
        self = .third(try reader.value())
      } else if reader.isCase("names") {
        self = .names(try reader.value())
      } else if reader.isCase("numbers") {
        self = .numbers(try reader.value())
      } else if reader.isCase("parent") {
        self = .parent(try reader.value())
      } else if reader.isCase("last") {
        self = .last(try reader.value())
      } else {
        throw AlterCore.StoredFormError()
      }
      try reader.endCase()
    }
    /// Writes an object with one key, the name of the case, as it is stored.
    func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
      switch self {
      case .count(let part0):
        try writer.beginCase("count")
        try writer.value(part0)
      case .title(let part0):
        try writer.beginCase("title")
        try writer.value(part0)
      case .subtitle(let part0):
        try writer.beginCase("subtitle")
        try writer.value(part0)
      case .first(let part0):
        try writer.beginCase("first")
        try writer.value(part0)
      case .second(let part0):
        try writer.beginCase("second")
        try writer.value(part0)
      case .third(let part0):
        try writer.beginCase("third")
        try writer.value(part0)
      case .names(let part0):
        try writer.beginCase("names")
        try writer.value(part0)
      case .numbers(let part0):
        try writer.beginCase("numbers")
        try writer.value(part0)
      case .parent(let part0):
        try writer.beginCase("parent")
        try writer.value(part0)
      case .last(let part0):
        try writer.beginCase("last")
        try writer.value(part0)
      }
      writer.endObject()
    }

    @available(*, unavailable, message: "write @Changes before 'count'")
    nonisolated static func count(by _: Int) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "write @Changes before 'first'")
    nonisolated static func first(by _: Int) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "write @Changes before 'second'")
    nonisolated static func second(by _: Double) -> Change { Swift.fatalError() }
    @available(*, unavailable, message: "write @Changes before 'last'")
    nonisolated static func last(by _: Int) -> Change { Swift.fatalError() }
  }

  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never

  /// Makes the change.
  nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) {
    switch change {
    case .count(let value): self.count = value
    case .title(let value): self.title = value
    case .subtitle(let value): self.subtitle = value
    case .first(let value): self.first = value
    case .second(let value): self.second = value
    case .third(let value): self.third = value
    case .names(let value): self.names = value
    case .numbers(let value): self.numbers = value
    case .parent(let value): self.parent = value
    case .last(let value): self.last = value
    }
  }

  /// A value of these properties.
  nonisolated init(count: Int = 0, title: String = "A title", subtitle: String = "A subtitle", first: Int = 1, second: Double = 2, third: Bool = false, names: [String] = ["a", "b", "c"], numbers: [Int] = [1, 2, 3], parent: String? = nil, last: Int = 0) {
    self.count = count
    self.title = title
    self.subtitle = subtitle
    self.first = first
    self.second = second
    self.third = third
    self.names = names
    self.numbers = numbers
    self.parent = parent
    self.last = last
  }

  /// The empty value: every property has its default value.
  nonisolated init() { self.init(count: 0, title: "A title", subtitle: "A subtitle", first: 1, second: 2, third: false, names: ["a", "b", "c"], numbers: [1, 2, 3], parent: nil, last: 0) }

  /// Reads the properties by their names.
  nonisolated init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.count = try fields.value("count")
    self.title = try fields.value("title")
    self.subtitle = try fields.value("subtitle")
    self.first = try fields.value("first")
    self.second = try fields.value("second")
    self.third = try fields.value("third")
    self.names = try fields.value("names")
    self.numbers = try fields.value("numbers")
    self.parent = try fields.value("parent")
    self.last = try fields.value("last")
  }

  /// Writes the properties by their names; an optional that is nil is left out.
  nonisolated func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.count, "count")
    try fields.write(self.title, "title")
    try fields.write(self.subtitle, "subtitle")
    try fields.write(self.first, "first")
    try fields.write(self.second, "second")
    try fields.write(self.third, "third")
    try fields.write(self.names, "names")
    try fields.write(self.numbers, "numbers")
    try fields.write(self.parent, "parent")
    try fields.write(self.last, "last")
  }

  /// Each value can be read again.
  nonisolated static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("count") { (model: Self) in model.count }
    form.part("first") { (model: Self) in model.first }
    form.part("last") { (model: Self) in model.last }
    form.part("names") { (model: Self) in model.names }
    form.part("numbers") { (model: Self) in model.numbers }
    form.part("parent") { (model: Self) in model.parent }
    form.part("second") { (model: Self) in model.second }
    form.part("subtitle") { (model: Self) in model.subtitle }
    form.part("third") { (model: Self) in model.third }
    form.part("title") { (model: Self) in model.title }
  }
  /// Reads the properties by their names, as they are stored.
  nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.count = try reader.required("count", in: &object)
    self.first = try reader.required("first", in: &object)
    self.last = try reader.required("last", in: &object)
    self.names = try reader.required("names", in: &object)
    self.numbers = try reader.required("numbers", in: &object)
    self.parent = try reader.optional("parent", in: &object)
    self.second = try reader.required("second", in: &object)
    self.subtitle = try reader.required("subtitle", in: &object)
    self.third = try reader.required("third", in: &object)
    self.title = try reader.required("title", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.count, "count")
    try writer.field(self.first, "first")
    try writer.field(self.last, "last")
    try writer.field(self.names, "names")
    try writer.field(self.numbers, "numbers")
    try writer.field(self.parent, "parent")
    try writer.field(self.second, "second")
    try writer.field(self.subtitle, "subtitle")
    try writer.field(self.third, "third")
    try writer.field(self.title, "title")
    writer.endObject()
  }
}

nonisolated extension Line: AlterJournal.Journaled, AlterCore.StoredForm {}

nonisolated extension Document: AlterJournal.Journaled, AlterCore.StoredForm {}

nonisolated extension TenFields: AlterJournal.Journaled, AlterCore.StoredForm, AlterCore.EmptyInitializable {}
