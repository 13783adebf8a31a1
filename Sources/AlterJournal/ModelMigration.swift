import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A model whose stored form has changed, with the migrations of its older forms.
///
/// The migrations are written once, and run wherever the model is decoded: in the state, in `add`, `update` and `replace` changes, and in
/// nested changes of any depth.
///
/// ```swift
/// @Alterable struct Person: Identifiable, Hashable, Migrating {
///   let id: Int
///   let name: Name
///   static let migrations = [
///     // Schema 3 divides the name.
///     ModelMigration(
///       before: 3,
///       value: { $0.converting("name") { ["first": $0, "last": ""] } },
///       change: { $0.converting("name") { ["first": $0, "last": ""] } })
///   ]
/// }
/// ```
///
/// The numbers are versions of the *state's* schema (``Journaled/schema``), because entries store this version. Raise it with each migration:
/// a model that names a higher version than the state's schema is an error.
///
/// ## Models that take part
///
/// `@Alterable` and `@Wire` generate the necessary calls. A model with synthesized `Codable` is *not* migrated. A handwritten model takes
/// part if it reads its properties from a ``WireReader``, and its changes from a ``WireCase``:
///
/// ```swift
/// let fields = try WireReader(of: Self.self, from: decoder)                          // in Person.init(from:)
/// name = try fields.value("name")
/// let wire = try WireCase(of: Self.self, changing: Person.self, from: decoder)       // in Person.Change.init(from:)
/// ```
///
/// Read everything from the reader: the decoder itself still gives the stored form.
///
/// ## Order
///
/// 1. The migrations of the state's schema (``Migration``) convert the JSON of the whole state or change, from the stored version to the
///    present one. They see models in their stored form.
/// 2. Each model converts its own JSON when it is decoded, an outer model before the models inside. All migrations with `before`
///    above the stored version run, in ascending order, once for each stored value.
///
/// A migration of an outer model that creates an inner model's JSON creates its *newest* form. The inner model's migrations then run on that
/// form too, depending on the age of the data, and must leave it alone: they check the shape.
///
/// ```swift
/// value: { $0.converting("name") { $0.text == nil ? $0 : ["first": $0, "last": ""] } }  // an object is in the new form already
/// ```
///
/// Data of the present version is decoded without any of this, at no cost.
public protocol Migrating: Sendable {
  /// The migrations of older forms, in any order. Those with equal numbers run in the order of the array.
  static var migrations: [ModelMigration] { get }
}

/// Converts the JSON of one model, and of its changes, from an older form; see ``Migrating``.
///
/// Like ``Migration``, it must be pure and deterministic, and must stay in the app as long as journals hold entries of older versions.
public struct ModelMigration: Sendable {
  /// The first version of the state's schema that needs no conversion. Data of all lower versions is converted.
  package let before: Int

  let value: @Sendable (JSONValue) throws -> JSONValue
  let change: @Sendable (JSONValue) throws -> JSONValue

  /// Creates a migration.
  ///
  /// - Parameters:
  ///   - version: The first version of the state's schema that stores the new form, at least 2.
  ///   - value: Converts a stored value of the model. By default values are unchanged.
  ///   - change: Converts a stored change of the model, such as `{"name":"Ann"}`, to exactly one change. By default changes are unchanged. Only
  ///     a ``Migration`` of the state's schema can drop a change, or turn it into several.
  public init(
    before version: Int, value: @escaping @Sendable (JSONValue) throws -> JSONValue = { $0 },
    change: @escaping @Sendable (JSONValue) throws -> JSONValue = { $0 }
  ) {
    precondition(version > 1, "A model's migration is for data before a later schema, at least 2, not before schema \(version).")
    before = version
    self.value = value
    self.change = change
  }
}

extension ModelMigration {
  /// The error of a migration that failed.
  struct Failure: Error, CustomStringConvertible {
    let model: any Migrating.Type
    let version: Int
    let reason: any Error
    var path: [any CodingKey]

    var description: String {
      // An error of a type of Foundation's may contain the data.
      "its migration of \(wireName(of: model)) before schema \(version) fails: \(JournalCoding.explain(reason)), \(JournalCoding.place(path))"
    }
  }

  /// The error of a migration whose version the state's schema has not reached.
  struct BeyondSchema: Error, CustomStringConvertible {
    let model: any Migrating.Type
    let version: Int
    let current: Int

    var description: String {
      """
      \(wireName(of: model)) has a migration before schema \(version), but the state's schema is \(current). Raise it: \
      `StateSchema(version: \(version))`, or lower the migration's number
      """
    }
  }

  /// The parts of a model that a migration converts.
  enum Part { case value, change }

  private func convert(_ json: JSONValue, _ part: Part) throws -> JSONValue {
    switch part {
    case .value: try value(json)
    case .change: try change(json)
    }
  }

  /// The versions of stored data, for the models' decoders: in `userInfo`, under one key.
  struct Versions: Sendable {
    static let key = CodingUserInfoKey(rawValue: "AlterJournal.ModelMigration.Versions")!

    /// The version in which the data was stored.
    let stored: Int
    /// The present version.
    let current: Int
    /// The JSON of the decoder that has these versions.
    let document: Document

    /// Decodes a value from JSON whose models may have to be converted.
    static func decode<Value: Decodable>(_ type: Value.Type, from json: Data, stored: Int, current: Int) throws -> Value {
      let versions = Versions(stored: stored, current: current, document: Document(text: json))
      return try JournalCoding.decoder(userInfo: [key: versions]).decode(Root<Value>.self, from: json).value
    }

    /// Returns a container over the converted JSON of a model; nil if it needs no conversion.
    ///
    /// - Throws: ``Failure``, ``BeyondSchema``, and `DecodingError` if the converted JSON is not an object.
    func container(of model: any Migrating.Type, _ part: Part, from decoder: any Decoder) throws -> WireContainer? {
      let migrations = model.migrations.sorted { $0.before < $1.before }
      guard let last = migrations.last, last.before > min(stored, current) else { return nil }
      guard last.before <= current else { throw BeyondSchema(model: model, version: last.before, current: current) }
      let path = decoder.codingPath
      var json = try document.value(at: decoder) ?? JSONValue(from: decoder)
      for migration in migrations where migration.before > stored {
        do { json = try migration.convert(json, part) } catch {
          throw Failure(model: model, version: migration.before, reason: error, path: path)
        }
      }
      do {
        let text = json.data
        let versions = Versions(stored: stored, current: current, document: Document(text: text, value: json))
        let container = try JournalCoding.decoder(userInfo: [Self.key: versions]).decode(Escaped.self, from: text).container
        return WireContainer(container, under: path)
      } catch {
        throw WireContainer.placed(error, under: path)
      }
    }

    /// A container that is used after the call that decodes it. Foundation's decoder supports this: it copies its input when a container
    /// survives (`takeOwnershipOfBackingDataIfNeeded` in swift-foundation's `JSONDecoder.swift`).
    private struct Escaped: Decodable {
      let container: KeyedDecodingContainer<WireKey>
      init(from decoder: any Decoder) throws {
        Versions.begin(decoder)
        container = try decoder.container(keyedBy: WireKey.self)
      }
    }

    /// The value of a whole document.
    private struct Root<Value: Decodable>: Decodable {
      let value: Value
      init(from decoder: any Decoder) throws {
        Versions.begin(decoder)
        // A container decodes dates, data and dictionaries with the decoder's strategies.
        value = try decoder.singleValueContainer().decode(Value.self)
      }
    }

    private static func begin(_ decoder: any Decoder) { (decoder.userInfo[key] as? Versions)?.document.isRead(by: decoder) }
  }
}

extension ModelMigration {
  /// The JSON of one decoder as a value, in which a model's part is found by its coding path.
  ///
  /// A decoder reveals the kind of a value only by failing at the others, and an error contains the whole coding path. Reading a deep value
  /// through it is therefore slow.
  final class Document: Sendable {
    private struct Content {
      let text: Data
      let value: JSONValue?
      /// The value as the parser returns it; nil inside if the parser can't answer for the decoder.
      var parsed: JSONValue??
      weak var decoder: AnyObject?
    }
    private let content: Lock<Content>

    /// Creates a document.
    ///
    /// - Parameters:
    ///   - text: The JSON. It is parsed when a model needs it.
    ///   - value: The value that was written as this text, if it is known.
    init(text: Data, value: JSONValue? = nil) { content = Lock(Content(text: text, value: value)) }

    /// Notes the decoder of the document.
    func isRead(by decoder: any Decoder) {
      guard type(of: decoder) is AnyClass else { return }
      content.withLock { $0.decoder = decoder as AnyObject }
    }

    /// Returns the JSON that a decoder reads; nil if that is not certain, and it must be read through the decoder.
    ///
    /// Foundation reads a document with one decoder object, which names the present place in its `codingPath`. Any other object may read
    /// something else: a text inside the document, with the same `userInfo`; a value in another form; the value of a super decoder.
    ///
    /// - Complexity: O(length of the path); the first call also parses the document.
    func value(at decoder: any Decoder) -> JSONValue? {
      guard type(of: decoder) is AnyClass else { return nil }
      let root = content.withLock { content -> JSONValue? in
        guard let own = content.decoder, own === decoder as AnyObject else { return nil }
        if let parsed = content.parsed { return parsed }
        let parsed = content.value.flatMap { $0.isAsParsed ? $0 : nil } ?? Self.parse(content.text)
        content.parsed = .some(parsed)
        return parsed
      }
      guard var value = root else { return nil }
      for key in decoder.codingPath {
        switch value {
        case .object:
          guard let member = value[key.stringValue] else { return nil }
          value = member
        case .array:
          guard let index = key.intValue, let element = value[index] else { return nil }
          value = element
        default: return nil
        }
      }
      return value
    }

    /// Parses a text; nil if the decoder may read it differently. Of several members with one name, it uses the first, the parser the last.
    private static func parse(_ text: Data) -> JSONValue? {
      var parser = JSONParser(bytes: [UInt8](text))
      guard let value = try? parser.parse(), !parser.repeatsName else { return nil }
      return value
    }
  }
}

extension JSONValue {
  /// Whether parsing its text certainly gives this value: not for numbers that may be written like those of another case.
  fileprivate var isAsParsed: Bool {
    // A stack instead of recursion, as in parsing.
    var stack = [self]
    while let value = stack.popLast() {
      switch value {
      case .null, .bool, .integer, .string: break
      case .number(let number): if !number.isFinite || number == number.rounded() { return false }
      case .decimal: return false
      case .array(let values): stack += values
      case .object(let members): stack += members.values
      }
    }
    return true
  }
}
