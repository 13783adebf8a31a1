/// The object that a `WireReader` or a `WireCase` reads: the stored one, or a model's converted one.
///
/// The JSON of a migrated model has a decoder of its own, whose coding paths begin at the model. Each error gets the path of the model in the
/// stored document in front.
struct WireContainer {
  private let container: KeyedDecodingContainer<WireKey>
  /// The path of the converted object in the stored document; empty if nothing was converted.
  private let prefix: [any CodingKey]

  init(_ container: KeyedDecodingContainer<WireKey>, under prefix: [any CodingKey] = []) {
    self.container = container
    self.prefix = prefix
  }

  /// Opens the object of a value, or of a change of a model, and converts older data if the model is `Migrating`.
  ///
  /// - Parameters:
  ///   - model: The type whose migrations apply.
  ///   - part: Whether the object is a value or a change of this type.
  ///   - decoder: The decoder to read from.
  init(of model: Any.Type, _ part: ModelMigration.Part, from decoder: any Decoder) throws {
    // Empty for all data of the present schema, and for all other decoders.
    if !decoder.userInfo.isEmpty, let versions = decoder.userInfo[ModelMigration.Versions.key] as? ModelMigration.Versions,
      let model = model as? any Migrating.Type, let migrated = try versions.container(of: model, part, from: decoder)
    {
      self = migrated
    } else {
      self.init(try decoder.container(keyedBy: WireKey.self))
    }
  }

  /// The path in the stored document.
  var codingPath: [any CodingKey] { prefix + container.codingPath }

  var allKeys: [WireKey] { container.allKeys }

  func contains(_ key: WireKey) -> Bool { container.contains(key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: WireKey) throws -> Value {
    do { return try container.decode(type, forKey: key) } catch {
      guard !(error is DecodingError), type is any Numeric.Type else { throw Self.placed(error, under: prefix) }
      // Foundation reports a number that does not fit as JSON that is not valid, without its place.
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath + [key], debugDescription: "the number does not fit \(type)", underlyingError: error))
    }
  }

  func nested(forKey key: WireKey) throws -> WireContainer {
    do {
      return WireContainer(try container.nestedContainer(keyedBy: WireKey.self, forKey: key), under: prefix)
    } catch {
      throw Self.placed(error, under: prefix)
    }
  }

  /// Returns an error whose coding path begins with a prefix.
  static func placed(_ error: any Error, under prefix: [any CodingKey]) -> any Error {
    guard !prefix.isEmpty else { return error }
    func placed(_ context: DecodingError.Context) -> DecodingError.Context {
      .init(codingPath: prefix + context.codingPath, debugDescription: context.debugDescription, underlyingError: context.underlyingError)
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context): return DecodingError.keyNotFound(key, placed(context))
    case DecodingError.typeMismatch(let type, let context): return DecodingError.typeMismatch(type, placed(context))
    case DecodingError.valueNotFound(let type, let context): return DecodingError.valueNotFound(type, placed(context))
    case DecodingError.dataCorrupted(let context): return DecodingError.dataCorrupted(placed(context))
    case var failure as ModelMigration.Failure:
      failure.path = prefix + failure.path
      return failure
    default: return error
    }
  }
}
