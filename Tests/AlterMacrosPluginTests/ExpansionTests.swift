#if Macros
  import Testing

  @Suite("What the macros write")
  struct ExpansionTests {
    @Test("for a model of constants reads like what one would write by hand")
    func constants() {
      expectExpansion(
        of: """
          @Alterable public struct Item: Identifiable, Hashable {
            public let id: Int
            /// The task.
            @Renamed(from: "title") public let text: String
            @Default(false) public let done: Bool
            @Stamped public let altered: Date?
          }
          """,
        """
        public struct Item: Identifiable, Hashable {
          public let id: Int
          /// The task.
          public let text: String
          public let done: Bool
          public let altered: Date?

          /// The changes of `Item`.
          public nonisolated enum Change: Sendable, Hashable, Codable, AlterCore.StoredForm {
            /// The task.
            case text(String)
            /// Sets `done`.
            case done(Bool)

            /// Reads an object with one key, the name of the case.
            public init(from decoder: any Decoder) throws {
              let wire = try AlterJournal.WireCase(of: Self.self, changing: Item.self, from: decoder)
              switch wire.name {
              case "text", "title": self = .text(try wire.value())
              case "done": self = .done(try wire.value())
              default: throw wire.unknown
              }
            }
            /// Writes an object with one key, the name of the case.
            public func encode(to encoder: any Encoder) throws {
              switch self {
              case .text(let value): try AlterJournal.WireCase.encode("text", value, to: encoder)
              case .done(let value): try AlterJournal.WireCase.encode("done", value, to: encoder)
              }
            }
            /// Each value can be read again.
            public static var _isTotal: Swift.Bool { true }
            /// Describes the stored form, for its fingerprint.
            public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
              form.oneCase("done")
              form.part("") { (one: Self) in
                guard case .done(let part) = one else { Swift.fatalError() }
                return part
              }
              form.oneCase("text", "title")
              form.part("") { (one: Self) in
                guard case .text(let part) = one else { Swift.fatalError() }
                return part
              }
            }
            /// Reads an object with one key, the name of the case, as it is stored.
            public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
              try reader.beginCase()
              if reader.isCase("text") || reader.isCase("title") {
                self = .text(try reader.value())
              } else if reader.isCase("done") {
                self = .done(try reader.value())
              } else {
                throw AlterCore.StoredFormError()
              }
              try reader.endCase()
            }
            /// Writes an object with one key, the name of the case, as it is stored.
            public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
              switch self {
              case .text(let part0):
                try writer.beginCase("text")
                try writer.value(part0)
              case .done(let part0):
                try writer.beginCase("done")
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
            var done: Bool
            var altered: Date?
          }

          /// Makes the change.
          public nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) {
            // A change is made where the value is, as if its constants were variables.
            AlterMacros._withUnsafeFields(of: &self, as: _Fields.self) { fields in
              switch change {
              case .text(let value): fields.text = value
              case .done(let value): fields.done = value
              }
              if let date = stamp.date { fields.altered = date }
            }
          }

          /// Sets the stamped properties to the stamp's date; without a date they keep their values.
          public nonisolated mutating func _restamp(at stamp: AlterCore.Stamp) {
            // A change is made where the value is, as if its constants were variables.
            AlterMacros._withUnsafeFields(of: &self, as: _Fields.self) { fields in
              if let date = stamp.date { fields.altered = date }
            }
          }

          /// A value of these properties.
          public nonisolated init(id: Int, text: String, done: Bool = false, altered: Date? = nil) {
            self.id = id
            self.text = text
            self.done = done
            self.altered = altered
          }

          /// Reads the properties by their names.
          public nonisolated init(from decoder: any Decoder) throws {
            let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
            self.id = try fields.value("id")
            self.text = try fields.value("text", formerly: "title")
            self.done = try fields.value("done", default: false)
            self.altered = try fields.value("altered")
          }

          /// Writes the properties by their names; an optional that is nil is left out.
          public nonisolated func encode(to encoder: any Encoder) throws {
            var fields = AlterJournal.WireWriter(to: encoder)
            try fields.write(self.id, "id")
            try fields.write(self.text, "text")
            try fields.write(orNull: self.done, "done")
            try fields.write(self.altered, "altered")
          }

          /// Each value can be read again.
          public nonisolated static var _isTotal: Swift.Bool { true }
          /// Describes the stored form, for its fingerprint.
          public nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
            form.part("altered") { (model: Self) in model.altered }
            form.part("done", default: "false") { (model: Self) in model.done }
            form.part("id") { (model: Self) in model.id }
            form.part("text", "title") { (model: Self) in model.text }
          }
          /// Reads the properties by their names, as they are stored.
          public nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
            var object = try reader.beginObject()
            self.altered = try reader.optional("altered", in: &object)
            self.done = try reader.key("done", in: &object) ? reader.value() : false
            self.id = try reader.required("id", in: &object)
            self.text = try reader.required("text", in: &object)
            guard try !reader.key("title", in: &object) else { throw AlterCore.StoredFormError() }
            try reader.endObject(&object)
          }
          /// Writes the properties by their names, as they are stored.
          public nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
            try writer.beginObject()
            try writer.field(self.altered, "altered")
            try writer.field(orNull: self.done, "done")
            try writer.field(self.id, "id")
            try writer.field(self.text, "text")
            writer.endObject()
          }
        }

        nonisolated extension Item: AlterJournal.Journaled, AlterCore.StoredForm, AlterMacros._Restamping {}
        """)
    }

    @Test("for a collection is verbs and a path, and changes in place")
    func collections() {
      expectExpansion(
        of: """
          @available(macOS 15, *)
          @Alterable struct State {
            @Each private(set) var items: IdentityArray<Item>
          }
          """,
        """
        @available(macOS 15, *)
        struct State {
          private(set) var items: IdentityArray<Item>

          private typealias _each_items = AlterMacros._EachIsAlterable<Item>

          /// The changes of `State`.
          nonisolated enum Change: Sendable, Codable, AlterCore.StoredForm {
            /// Adds an element at the end. Refused if its id exists already.
            indirect case add(ElementValue)
            /// Removes an element. Refused if it does not exist.
            case remove(ElementID)
            /// Changes one of the `items`.
            indirect case item(Item.ID, Item.Change)

            /// Reads an object with one key, the name of the case.
            init(from decoder: any Decoder) throws {
              let wire = try AlterJournal.WireCase(of: Self.self, changing: State.self, from: decoder)
              switch wire.name {
              case "add": self = .add(try wire.value())
              case "remove": self = .remove(try wire.value())
              case "item": self = try wire.path { (id: _each_items.ID, change: _each_items.Change) in Self.item(id, change) }
              default: throw wire.unknown
              }
            }
            /// Writes an object with one key, the name of the case.
            func encode(to encoder: any Encoder) throws {
              switch self {
              case .add(let value): try AlterJournal.WireCase.encode("add", value, to: encoder)
              case .remove(let value): try AlterJournal.WireCase.encode("remove", value, to: encoder)
              case .item(let id, let change): try AlterJournal.WireCase.encode("item", id: id as _each_items.ID, change: change as _each_items.Change, to: encoder)
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
              form.oneCase("item")
              form.part("change") { (one: Self) -> _each_items.Change in
                guard case .item(let part0, let part1) = one else { Swift.fatalError() }
                return (part0, part1).1
              }
              form.part("id") { (one: Self) -> _each_items.ID in
                guard case .item(let part0, let part1) = one else { Swift.fatalError() }
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
              } else if reader.isCase("item") {
                var object = try reader.beginObject()
                self = try AlterCore.StoredReader.value(of: reader.required("change", in: &object) as _each_items.Change, reader.required("id", in: &object) as _each_items.ID) { (part0: _each_items.Change, part1: _each_items.ID) in Self.item(part1, part0) }
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
              case .item(let part0, let part1):
                try writer.beginCase("item")
                try writer.beginObject()
                writer.key("change")
                try writer.value(part1 as _each_items.Change)
                writer.key("id")
                try writer.value(part0 as _each_items.ID)
                writer.endObject()
              }
              writer.endObject()
            }

            /// An element of one of the collections.
            nonisolated enum ElementValue: Sendable, Codable, AlterCore.StoredForm {
              /// One of the `items`.
              case item(Item)

              /// Reads an object with one key, the name of the case.
              init(from decoder: any Decoder) throws {
                let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
                switch wire.name {
                case "item": self = .item(try wire.value() as _each_items.Element)
                default: throw wire.unknown
                }
              }
              /// Writes an object with one key, the name of the case.
              func encode(to encoder: any Encoder) throws {
                switch self {
                case .item(let value): try AlterJournal.WireCase.encode("item", value as _each_items.Element, to: encoder)
                }
              }
              /// Each value can be read again.
              static var _isTotal: Swift.Bool { true }
              /// Describes the stored form, for its fingerprint.
              static func _describe(_ form: inout AlterCore.StoredFormDescription) {
                form.oneCase("item")
                form.part("") { (one: Self) in
                  guard case .item(let part) = one else { Swift.fatalError() }
                  return part
                }
              }
              /// Reads an object with one key, the name of the case, as it is stored.
              init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
                try reader.beginCase()
                if reader.isCase("item") {
                  self = .item(try reader.value(_each_items.Element.self))
                } else {
                  throw AlterCore.StoredFormError()
                }
                try reader.endCase()
              }
              /// Writes an object with one key, the name of the case, as it is stored.
              func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
                switch self {
                case .item(let part0):
                  try writer.beginCase("item")
                  try writer.value(part0 as _each_items.Element)
                }
                writer.endObject()
              }
            }

            /// The id of an element of one of the collections.
            nonisolated enum ElementID: Sendable, Codable, AlterCore.StoredForm {
              /// One of the `items`.
              case item(Item.ID)
              /// One of the `items`, by any version of its value.
              @_disfavoredOverload
              nonisolated static func item(_ value: Item, _: Void = ()) -> ElementID { .item(value.id) }

              /// Reads an object with one key, the name of the case.
              init(from decoder: any Decoder) throws {
                let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
                switch wire.name {
                case "item": self = .item(try wire.value() as _each_items.ID)
                default: throw wire.unknown
                }
              }
              /// Writes an object with one key, the name of the case.
              func encode(to encoder: any Encoder) throws {
                switch self {
                case .item(let value): try AlterJournal.WireCase.encode("item", value as _each_items.ID, to: encoder)
                }
              }
              /// Each value can be read again.
              static var _isTotal: Swift.Bool { true }
              /// Describes the stored form, for its fingerprint.
              static func _describe(_ form: inout AlterCore.StoredFormDescription) {
                form.oneCase("item")
                form.part("") { (one: Self) in
                  guard case .item(let part) = one else { Swift.fatalError() }
                  return part
                }
              }
              /// Reads an object with one key, the name of the case, as it is stored.
              init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
                try reader.beginCase()
                if reader.isCase("item") {
                  self = .item(try reader.value(_each_items.ID.self))
                } else {
                  throw AlterCore.StoredFormError()
                }
                try reader.endCase()
              }
              /// Writes an object with one key, the name of the case, as it is stored.
              func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
                switch self {
                case .item(let part0):
                  try writer.beginCase("item")
                  try writer.value(part0 as _each_items.ID)
                }
                writer.endObject()
              }
            }

            @available(*, unavailable, message: "list .put in the @Each of 'items': .add, .put, .remove")
            nonisolated static func put(_: _Unlisted) -> Change { Swift.fatalError() }
            @available(*, unavailable, message: "list .update in the @Each of 'items': .add, .update, .remove")
            nonisolated static func update(_: _Unlisted) -> Change { Swift.fatalError() }
            @available(*, unavailable, message: "list .move in the @Each of 'items': .add, .remove, .move")
            nonisolated static func move(_: _Unlisted) -> Change { Swift.fatalError() }
            @available(*, unavailable, message: "list .replace in the @Each of 'items': .add, .remove, .replace")
            nonisolated static func replace(_: _Unlisted) -> Change { Swift.fatalError() }

            /// The payloads of verbs that no collection lists.
            nonisolated enum _Unlisted {
              nonisolated static func item(_: Item) -> _Unlisted { Swift.fatalError() }
              nonisolated static func item(_: Item.ID, to: Swift.Int) -> _Unlisted { Swift.fatalError() }
              nonisolated static func items(_: IdentityArray<Item>) -> _Unlisted { Swift.fatalError() }
            }
          }

          /// Why a change is refused.
          typealias Failure = AlterCore.Refusal

          /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
          typealias CodingKeys = Swift.Never

          /// Makes the change, or refuses it and changes nothing.
          nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) throws(AlterCore.Refusal) {
            switch change {
            case .add(.item(let value)): try self.items._add(value, at: stamp)
            case .remove(.item(let id)): try self.items.remove(id: id)
            case .item(let id, let change): try self.items._apply(change, to: id, at: stamp)
            }
          }

          /// A value of these properties.
          nonisolated init(items: IdentityArray<Item> = []) {
            self.items = items
          }

          /// The empty value: every property has its default value.
          nonisolated init() { self.init(items: []) }

          /// Reads the properties by their names.
          nonisolated init(from decoder: any Decoder) throws {
            let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
            self.items = try fields.value("items")
          }

          /// Writes the properties by their names; an optional that is nil is left out.
          nonisolated func encode(to encoder: any Encoder) throws {
            var fields = AlterJournal.WireWriter(to: encoder)
            try fields.write(self.items, "items")
          }

          /// Each value can be read again.
          nonisolated static var _isTotal: Swift.Bool { true }
          /// Describes the stored form, for its fingerprint.
          nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
            form.part("items") { (model: Self) in model.items }
          }
          /// Reads the properties by their names, as they are stored.
          nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
            var object = try reader.beginObject()
            self.items = try reader.required("items", in: &object)
            try reader.endObject(&object)
          }
          /// Writes the properties by their names, as they are stored.
          nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
            try writer.beginObject()
            try writer.field(self.items, "items")
            writer.endObject()
          }
        }

        @available(macOS 15, *)
        nonisolated extension State: AlterJournal.Journaled, AlterCore.StoredForm, AlterCore.EmptyInitializable {}
        """)
    }

    @Test("for constants with parts changes them where they are")
    func parts() {
      expectExpansion(
        of: """
          @Alterable struct State {
            @Nested let settings: Settings
            let count: Int
          }
          """,
        """
        struct State {
          let settings: Settings

          private typealias _nested_settings = AlterMacros._NestedIsAlterable<Settings>
          let count: Int

          /// The changes of `State`.
          nonisolated enum Change: Sendable, Codable, AlterCore.StoredForm {
            /// Changes the `settings`.
            indirect case settings(Settings.Change)
            /// Sets `count`.
            case count(Int)

            /// Reads an object with one key, the name of the case.
            init(from decoder: any Decoder) throws {
              let wire = try AlterJournal.WireCase(of: Self.self, changing: State.self, from: decoder)
              switch wire.name {
              case "settings": self = .settings(try wire.value() as _nested_settings.Change)
              case "count": self = .count(try wire.value())
              default: throw wire.unknown
              }
            }
            /// Writes an object with one key, the name of the case.
            func encode(to encoder: any Encoder) throws {
              switch self {
              case .settings(let value): try AlterJournal.WireCase.encode("settings", value as _nested_settings.Change, to: encoder)
              case .count(let value): try AlterJournal.WireCase.encode("count", value, to: encoder)
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
              form.oneCase("settings")
              form.part("") { (one: Self) in
                guard case .settings(let part) = one else { Swift.fatalError() }
                return part
              }
            }
            /// Reads an object with one key, the name of the case, as it is stored.
            init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
              try reader.beginCase()
              if reader.isCase("settings") {
                self = .settings(try reader.value(_nested_settings.Change.self))
              } else if reader.isCase("count") {
                self = .count(try reader.value())
              } else {
                throw AlterCore.StoredFormError()
              }
              try reader.endCase()
            }
            /// Writes an object with one key, the name of the case, as it is stored.
            func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
              switch self {
              case .settings(let part0):
                try writer.beginCase("settings")
                try writer.value(part0 as _nested_settings.Change)
              case .count(let part0):
                try writer.beginCase("count")
                try writer.value(part0)
              }
              writer.endObject()
            }

            @available(*, unavailable, message: "write @Changes before 'count'")
            nonisolated static func count(by _: Int) -> Change { Swift.fatalError() }
          }

          /// Why a change is refused.
          typealias Failure = AlterCore.Refusal

          /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
          typealias CodingKeys = Swift.Never

          /// The same properties in the same order, open to a change.
          private nonisolated struct _Fields {
            var settings: Settings
            var count: Int
          }

          /// Makes the change, or refuses it and changes nothing.
          nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) throws(AlterCore.Refusal) {
            // A change is made where the value is, as if its constants were variables.
            try AlterMacros._withUnsafeFields(of: &self, as: _Fields.self) { fields throws(AlterCore.Refusal) in
              switch change {
              case .settings(let change): try fields.settings._apply(part: change, at: stamp)
              case .count(let value): fields.count = value
              }
            }
          }

          /// A value of these properties.
          nonisolated init(settings: Settings, count: Int) {
            self.settings = settings
            self.count = count
          }

          /// Reads the properties by their names.
          nonisolated init(from decoder: any Decoder) throws {
            let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
            self.settings = try fields.value("settings")
            self.count = try fields.value("count")
          }

          /// Writes the properties by their names; an optional that is nil is left out.
          nonisolated func encode(to encoder: any Encoder) throws {
            var fields = AlterJournal.WireWriter(to: encoder)
            try fields.write(self.settings, "settings")
            try fields.write(self.count, "count")
          }

          /// Each value can be read again.
          nonisolated static var _isTotal: Swift.Bool { true }
          /// Describes the stored form, for its fingerprint.
          nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
            form.part("count") { (model: Self) in model.count }
            form.part("settings") { (model: Self) in model.settings }
          }
          /// Reads the properties by their names, as they are stored.
          nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
            var object = try reader.beginObject()
            self.count = try reader.required("count", in: &object)
            self.settings = try reader.required("settings", in: &object)
            try reader.endObject(&object)
          }
          /// Writes the properties by their names, as they are stored.
          nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
            try writer.beginObject()
            try writer.field(self.count, "count")
            try writer.field(self.settings, "settings")
            writer.endObject()
          }
        }

        nonisolated extension State: AlterJournal.Journaled, AlterCore.StoredForm {}
        """)
    }

    @Test("for constants next to a wrapper, which may store anything, takes the value apart and puts it together")
    func wrapper() {
      expectExpansion(
        of: """
          @Alterable struct State {
            @Nested let settings: Settings
            @Clamped private(set) var count: Int
          }
          """,
        """
        struct State {
          let settings: Settings

          private typealias _nested_settings = AlterMacros._NestedIsAlterable<Settings>
          @Clamped private(set) var count: Int

          /// The changes of `State`.
          nonisolated enum Change: Sendable, Codable, AlterCore.StoredForm {
            /// Changes the `settings`.
            indirect case settings(Settings.Change)
            /// Sets `count`.
            case count(Int)

            /// Reads an object with one key, the name of the case.
            init(from decoder: any Decoder) throws {
              let wire = try AlterJournal.WireCase(of: Self.self, changing: State.self, from: decoder)
              switch wire.name {
              case "settings": self = .settings(try wire.value() as _nested_settings.Change)
              case "count": self = .count(try wire.value())
              default: throw wire.unknown
              }
            }
            /// Writes an object with one key, the name of the case.
            func encode(to encoder: any Encoder) throws {
              switch self {
              case .settings(let value): try AlterJournal.WireCase.encode("settings", value as _nested_settings.Change, to: encoder)
              case .count(let value): try AlterJournal.WireCase.encode("count", value, to: encoder)
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
              form.oneCase("settings")
              form.part("") { (one: Self) in
                guard case .settings(let part) = one else { Swift.fatalError() }
                return part
              }
            }
            /// Reads an object with one key, the name of the case, as it is stored.
            init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
              try reader.beginCase()
              if reader.isCase("settings") {
                self = .settings(try reader.value(_nested_settings.Change.self))
              } else if reader.isCase("count") {
                self = .count(try reader.value())
              } else {
                throw AlterCore.StoredFormError()
              }
              try reader.endCase()
            }
            /// Writes an object with one key, the name of the case, as it is stored.
            func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
              switch self {
              case .settings(let part0):
                try writer.beginCase("settings")
                try writer.value(part0 as _nested_settings.Change)
              case .count(let part0):
                try writer.beginCase("count")
                try writer.value(part0)
              }
              writer.endObject()
            }

            @available(*, unavailable, message: "write @Changes before 'count'")
            nonisolated static func count(by _: Int) -> Change { Swift.fatalError() }
          }

          /// Why a change is refused.
          typealias Failure = AlterCore.Refusal

          /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
          typealias CodingKeys = Swift.Never

          /// Makes the change, or refuses it and changes nothing.
          nonisolated mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) throws(AlterCore.Refusal) {
            // The fields move out and back in, so that storage that is not shared changes in place.
            try AlterMacros._rebuild(
              &self, from: { (settings: $0.settings, count: $0.count) }, to: { Self(settings: $0.settings, count: $0.count) }
            ) { fields throws(AlterCore.Refusal) in
              switch change {
              case .settings(let change): try fields.settings._apply(part: change, at: stamp)
              case .count(let value): fields.count = value
              }
            }
          }

          /// A value of these properties.
          nonisolated init(settings: Settings, count: Int) {
            self.settings = settings
            self.count = count
          }

          /// Reads the properties by their names.
          nonisolated init(from decoder: any Decoder) throws {
            let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
            self.settings = try fields.value("settings")
            self.count = try fields.value("count")
          }

          /// Writes the properties by their names; an optional that is nil is left out.
          nonisolated func encode(to encoder: any Encoder) throws {
            var fields = AlterJournal.WireWriter(to: encoder)
            try fields.write(self.settings, "settings")
            try fields.write(self.count, "count")
          }

          /// Each value can be read again.
          nonisolated static var _isTotal: Swift.Bool { true }
          /// Describes the stored form, for its fingerprint.
          nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
            form.part("count") { (model: Self) in model.count }
            form.part("settings") { (model: Self) in model.settings }
          }
          /// Reads the properties by their names, as they are stored.
          nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
            var object = try reader.beginObject()
            self.count = try reader.required("count", in: &object)
            self.settings = try reader.required("settings", in: &object)
            try reader.endObject(&object)
          }
          /// Writes the properties by their names, as they are stored.
          nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
            try writer.beginObject()
            try writer.field(self.count, "count")
            try writer.field(self.settings, "settings")
            writer.endObject()
          }
        }

        nonisolated extension State: AlterJournal.Journaled, AlterCore.StoredForm {}
        """)
    }

    @Test("for changes that depend on the value is cases of their own, and functions of the usual spelling")
    func relative() {
      let expanded = expansion(
        of: """
          @Alterable(changing: .marked) struct A: Hashable {
            let id: Int
            @Changes let size: UInt8
            @Changes("labels") private(set) var tags: Set<String>
            @Changes(.set) let count: Int
            let name: String
          }
          """)
      for line in [
        "case size(UInt8)", "case sizeBy(Swift.Int)", "case labels(Set<String>)", "case labelsAdding(String)",
        "case labelsRemoving(String)",
        "nonisolated static func size(by value: Swift.Int) -> Change { .sizeBy(value) }",
        "nonisolated static func labels(removing value: String) -> Change { .labelsRemoving(value) }",
        "@available(*, unavailable, message: \"write @Changes before 'count'\")",
        "if reader.isCase(\"labelsAdding\") || reader.isCase(\"tagsAdding\") {",
        "case .sizeBy(let value): try AlterMacros._add(value, to: &fields.size, \"size\")",
        "case .labelsRemoving(let value): AlterMacros._remove(value, from: &fields.tags)",
        "mutating func apply(_ change: Change, at stamp: AlterCore.Stamp) throws(AlterCore.Refusal) {",
      ] { #expect(expanded.contains(line), "\(line)\n\(expanded)") }
      #expect(!expanded.contains("case name") && !expanded.contains("case id"))
    }

    @Test("for a public model has no case for a property whose setter is private, and no default after its own cases alone")
    func privateSetter() {
      let text = expansion(
        of: """
          @Alterable public struct Account {
            public private(set) var balance: Int = 0
            public enum OwnChange { case deposit(Int) }
            mutating func apply(_ change: OwnChange, at stamp: Stamp) {}
          }
          """)
      #expect(text.contains("case deposit(Int)") && !text.contains("case balance(Int)"))
      #expect(text.contains("self.apply(OwnChange.deposit(value), at: stamp)") && !text.contains("default: break"))
      let inside = expansion(of: "@Alterable struct Account { private(set) var balance: Int = 0 }")
      #expect(inside.contains("case balance(Int)"))
    }

    @Test("for a model with cases of its own and an apply around the generated one")
    func ownCases() {
      expectExpansion(
        of: """
          @Alterable struct State: Equatable {
            private(set) var count: Int = 0
            enum OwnChange { case reset, step(by: Int) }
            init(count: Int) { self.count = max(0, count) }
            mutating func apply(_ change: OwnChange, at stamp: Stamp) {}
            mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {}
          }
          """,
        """
        struct State: Equatable {
          private(set) var count: Int = 0
          enum OwnChange { case reset, step(by: Int) 
        }
          init(count: Int) { self.count = max(0, count) }
          mutating func apply(_ change: OwnChange, at stamp: Stamp) {}
          mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {}

          /// The changes of `State`.
          nonisolated enum Change: Sendable, Equatable, Codable, AlterCore.StoredForm {
            /// Sets `count`.
            case count(Int)
            case reset
            case step(by: Int)

            /// Reads an object with one key, the name of the case.
            init(from decoder: any Decoder) throws {
              let wire = try AlterJournal.WireCase(of: Self.self, changing: State.self, from: decoder)
              switch wire.name {
              case "count": self = .count(try wire.value())
              case "reset":
                try wire.nothing()
                self = .reset
              case "step": self = .step(by: try wire.value())
              default: throw wire.unknown
              }
            }
            /// Writes an object with one key, the name of the case.
            func encode(to encoder: any Encoder) throws {
              switch self {
              case .count(let value): try AlterJournal.WireCase.encode("count", value, to: encoder)
              case .reset: try AlterJournal.WireCase.encode("reset", to: encoder)
              case .step(let value): try AlterJournal.WireCase.encode("step", value, to: encoder)
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
              form.oneCase("reset")
              form.oneCase("step")
              form.part("") { (one: Self) in
                guard case .step(let part) = one else { Swift.fatalError() }
                return part
              }
            }
            /// Reads an object with one key, the name of the case, as it is stored.
            init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
              try reader.beginCase()
              if reader.isCase("count") {
                self = .count(try reader.value())
              } else if reader.isCase("reset") {
                try reader.nothing()
                self = .reset
              } else if reader.isCase("step") {
                self = .step(by: try reader.value())
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
              case .reset:
                try writer.beginCase("reset")
                writer.bool(true)
              case .step(let part0):
                try writer.beginCase("step")
                try writer.value(part0)
              }
              writer.endObject()
            }

            @available(*, unavailable, message: "write @Changes before 'count'")
            nonisolated static func count(by _: Int) -> Change { Swift.fatalError() }
          }

          /// Why a change is refused.
          typealias Failure = Refusal

          /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
          typealias CodingKeys = Swift.Never

          /// The `apply` that the macro generates for a model without its own.
          nonisolated mutating func applyGenerated(_ change: Change, at stamp: AlterCore.Stamp) {
            switch change {
            case .reset:
              self.apply(OwnChange.reset, at: stamp)
              return
            case .step(let value):
              self.apply(OwnChange.step(by: value), at: stamp)
              return
            default: break
            }
            switch change {
            case .count(let value): self.count = value
            case .reset: break
            case .step: break
            }
          }

          /// The empty value: every property has its default value.
          nonisolated init() { self.init(count: 0) }

          /// Reads the properties by their names.
          nonisolated init(from decoder: any Decoder) throws {
            let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
            self.count = try fields.value("count")
          }

          /// Writes the properties by their names; an optional that is nil is left out.
          nonisolated func encode(to encoder: any Encoder) throws {
            var fields = AlterJournal.WireWriter(to: encoder)
            try fields.write(self.count, "count")
          }

          /// Each value can be read again.
          nonisolated static var _isTotal: Swift.Bool { true }
          /// Describes the stored form, for its fingerprint.
          nonisolated static func _describe(_ form: inout AlterCore.StoredFormDescription) {
            form.part("count") { (model: Self) in model.count }
          }
          /// Reads the properties by their names, as they are stored.
          nonisolated init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
            var object = try reader.beginObject()
            self.count = try reader.required("count", in: &object)
            try reader.endObject(&object)
          }
          /// Writes the properties by their names, as they are stored.
          nonisolated func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
            try writer.beginObject()
            try writer.field(self.count, "count")
            writer.endObject()
          }
        }

        nonisolated extension State: AlterJournal.Journaled, AlterCore.StoredForm, AlterCore.EmptyInitializable {}
        """)
    }

    @Test("for a hand-written enum is its stored form")
    func wire() {
      expectExpansion(
        of: """
          @Wire public enum Change {
            case level(Int)
            case toggle
            case move(Item.ID, to: Int)
            @Renamed(from: "colour") case `default`(Int)
          }
          """,
        """
        public enum Change {
          case level(Int)
          case toggle
          case move(Item.ID, to: Int)
          case `default`(Int)
        }

        nonisolated extension Change: Codable, AlterCore.StoredForm {
          /// Reads an object with one key, the name of the case.
          public init(from decoder: any Decoder) throws {
            let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
            switch wire.name {
            case "level": self = .level(try wire.value())
            case "toggle":
              try wire.nothing()
              self = .toggle
            case "move":
              let fields = try wire.fields()
              self = .move(try fields.value("id"), to: try fields.value("to"))
            case "default", "colour": self = .`default`(try wire.value())
            default: throw wire.unknown
            }
          }
          /// Writes an object with one key, the name of the case.
          public func encode(to encoder: any Encoder) throws {
            switch self {
            case .level(let value): try AlterJournal.WireCase.encode("level", value, to: encoder)
            case .toggle: try AlterJournal.WireCase.encode("toggle", to: encoder)
            case .move(let id, let to):
              try AlterJournal.WireCase.encode("move", to: encoder) { fields in
                try fields.write(id, "id")
                try fields.write(to, "to")
              }
            case .`default`(let value): try AlterJournal.WireCase.encode("default", value, to: encoder)
            }
          }
          /// Each value can be read again.
          public static var _isTotal: Swift.Bool { true }
          /// Describes the stored form, for its fingerprint.
          public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
            form.oneCase("default", "colour")
            form.part("") { (one: Self) in
              guard case .`default`(let part) = one else { Swift.fatalError() }
              return part
            }
            form.oneCase("level")
            form.part("") { (one: Self) in
              guard case .level(let part) = one else { Swift.fatalError() }
              return part
            }
            form.oneCase("move")
            form.part("id") { (one: Self) in
              guard case .move(let part, _) = one else { Swift.fatalError() }
              return part
            }
            form.part("to") { (one: Self) in
              guard case .move(_, let part) = one else { Swift.fatalError() }
              return part
            }
            form.oneCase("toggle")
          }
          /// Reads an object with one key, the name of the case, as it is stored.
          public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
            try reader.beginCase()
            if reader.isCase("level") {
              self = .level(try reader.value())
            } else if reader.isCase("toggle") {
              try reader.nothing()
              self = .toggle
            } else if reader.isCase("move") {
              var object = try reader.beginObject()
              self = try AlterCore.StoredReader.value(of: reader.required("id", in: &object), reader.required("to", in: &object)) { Self.move($0, to: $1) }
              try reader.endObject(&object)
            } else if reader.isCase("default") || reader.isCase("colour") {
              self = .`default`(try reader.value())
            } else {
              throw AlterCore.StoredFormError()
            }
            try reader.endCase()
          }
          /// Writes an object with one key, the name of the case, as it is stored.
          public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
            switch self {
            case .level(let part0):
              try writer.beginCase("level")
              try writer.value(part0)
            case .toggle:
              try writer.beginCase("toggle")
              writer.bool(true)
            case .move(let part0, let part1):
              try writer.beginCase("move")
              try writer.beginObject()
              try writer.field(part0, "id")
              try writer.field(part1, "to")
              writer.endObject()
            case .`default`(let part0):
              try writer.beginCase("default")
              try writer.value(part0)
            }
            writer.endObject()
          }
          /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
          typealias CodingKeys = Swift.Never
        }
        """)
    }

    @Test("for a hand-written struct is its stored form")
    func wireStruct() {
      expectExpansion(
        of: """
          @Wire package struct Place: Hashable {
            var name: String
            @Default(0) private(set) var `class`: Int
            let height: Double?
            var text: String { name }
            static let none = 0
            @Renamed(from: "seen") var isVisited: Bool
          }
          """,
        """
        package struct Place: Hashable {
          var name: String
          private(set) var `class`: Int
          let height: Double?
          var text: String { name }
          static let none = 0
          var isVisited: Bool
        }

        nonisolated extension Place: Codable, AlterCore.StoredForm {
          /// Reads the properties by their names.
          package init(from decoder: any Decoder) throws {
            let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
            self.name = try fields.value("name")
            self.`class` = try fields.value("class", default: 0)
            self.height = try fields.value("height")
            self.isVisited = try fields.value("isVisited", formerly: "seen")
          }
          /// Writes the properties by their names; an optional that is nil is left out.
          package func encode(to encoder: any Encoder) throws {
            var fields = AlterJournal.WireWriter(to: encoder)
            try fields.write(self.name, "name")
            try fields.write(orNull: self.`class`, "class")
            try fields.write(self.height, "height")
            try fields.write(self.isVisited, "isVisited")
          }
          /// Each value can be read again.
          package static var _isTotal: Swift.Bool { true }
          /// Describes the stored form, for its fingerprint.
          package static func _describe(_ form: inout AlterCore.StoredFormDescription) {
            form.part("class", default: "0") { (model: Self) in model.`class` }
            form.part("height") { (model: Self) in model.height }
            form.part("isVisited", "seen") { (model: Self) in model.isVisited }
            form.part("name") { (model: Self) in model.name }
          }
          /// Reads the properties by their names, as they are stored.
          package init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
            var object = try reader.beginObject()
            self.`class` = try reader.key("class", in: &object) ? reader.value() : 0
            self.height = try reader.optional("height", in: &object)
            self.isVisited = try reader.required("isVisited", in: &object)
            self.name = try reader.required("name", in: &object)
            guard try !reader.key("seen", in: &object) else { throw AlterCore.StoredFormError() }
            try reader.endObject(&object)
          }
          /// Writes the properties by their names, as they are stored.
          package func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
            try writer.beginObject()
            try writer.field(orNull: self.`class`, "class")
            try writer.field(self.height, "height")
            try writer.field(self.isVisited, "isVisited")
            try writer.field(self.name, "name")
            writer.endObject()
          }
          /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
          typealias CodingKeys = Swift.Never
        }
        """)
    }
  }
#endif
