#if Macros
  /// Generates the stored form of a struct: an object of its properties by their names.
  struct PropertyCoding {
    let properties: [Property]
    /// The modifiers in front of a member: `public nonisolated `, or any part of it.
    let access: String
    /// Whether a problem was reported, so that the code will not be built.
    var isBroken = false

    /// The source of the methods of `Codable`, and of those of their short cut.
    ///
    /// - Parameter hasStoredForm: Whether to generate the short cut, which the struct can have if ``hasStoredForm`` is true.
    func members(withStoredForm hasStoredForm: Bool) -> [String] {
      [decodingInitialiser, encodingMethod] + (hasStoredForm ? [storedForm] : [])
    }

    // MARK: - Codable

    private var decodingInitialiser: String {
      let lines = properties.map { property in
        var arguments = [property.wireName.literal]
        if !property.olderNames.isEmpty { arguments.append("formerly: " + property.olderNames.map(\.literal).joined(separator: ", ")) }
        if let standIn = property.standIn { arguments.append("default: \(standIn)") }
        return "self.\(property.name) = try fields.value(\(arguments.joined(separator: ", ")))\(property.cast)"
      }
      guard !isBroken else { return "\(access)init(from decoder: any Decoder) throws { fatalError() }" }
      return """
        /// Reads the properties by their names.
        \(access)init(from decoder: any Decoder) throws {
          let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
        \(lines.joined(separator: "\n").indented)
        }
        """
    }

    private var encodingMethod: String {
      guard !isBroken else { return "\(access)func encode(to encoder: any Encoder) throws { fatalError() }" }
      let lines = properties.map { "try fields.write(\(argument(of: $0)), \($0.wireName.literal))" }
      return """
        /// Writes the properties by their names; an optional that is nil is left out.
        \(access)func encode(to encoder: any Encoder) throws {
          var fields = AlterJournal.WireWriter(to: encoder)
        \(lines.joined(separator: "\n").indented)
        }
        """
    }

    /// The value of a property as an argument. An absent key means the default, so nil must then be written as `null`; the type of the property
    /// may be an optional under another name, which the macro does not see.
    private func argument(of property: Property) -> String {
      "\(property.standIn == nil ? "" : "orNull: ")self.\(property.name)\(property.cast)"
    }

    // MARK: - The short cut

    /// Whether the struct has the conformance to `StoredForm`: names that can be compared with stored bytes, and none that was another
    /// property's.
    var hasStoredForm: Bool {
      let names = Set(properties.map(\.wireName))
      return properties.allSatisfy { property in
        ([property.wireName] + property.olderNames).allSatisfy(StoredCoding.isKey) && !property.olderNames.contains { names.contains($0) }
      }
    }

    private var storedForm: String {
      guard !isBroken else { return StoredCoding.withoutBodies(access) }
      var reads = properties.map { (name: $0.wireName, line: reading($0)) }
      // Older data is left to the decoder.
      for older in Set(properties.flatMap(\.olderNames)) {
        reads.append((older, "guard try !reader.key(\"\(older)\", in: &object) else { throw AlterCore.StoredFormError() }"))
      }
      let sorted = properties.sorted { StoredCoding.isBefore($0.wireName, $1.wireName) }
      let writes = sorted.map { "try writer.field(\(argument(of: $0)), \"\($0.wireName)\")" }
      let initialiser = StoredCoding.reading(
        access,
        ["var object = try reader.beginObject()"] + reads.sorted { StoredCoding.isBefore($0.name, $1.name) }.map(\.line)
          + ["try reader.endObject(&object)"], "Reads the properties by their names, as they are stored.")
      let method = StoredCoding.writing(
        access, ["try writer.beginObject()"] + writes + ["writer.endObject()"], "Writes the properties by their names, as they are stored.")
      let parts = sorted.map { property in
        let names = ([property.wireName] + property.olderNames).map { "\"\($0)\"" }.joined(separator: ", ")
        let standIn = property.standIn.map { ", default: \($0.literal)" } ?? ""
        return "form.part(\(names)\(standIn)) { (model: Self) in model.\(property.name) }"
      }
      let description = StoredCoding.describing(access, parts)
      return "\(StoredCoding.totality(access))\n\(description)\n\(initialiser)\n\(method)"
    }

    private func reading(_ property: Property) -> String {
      let arguments = "\"\(property.wireName)\", in: &object"
      if let standIn = property.standIn {
        return
          "self.\(property.name) = try reader.key(\(arguments)) ? reader.value(\(property.checked.map { "\($0).self" } ?? "")) : \(standIn)"
      }
      return "self.\(property.name) = try reader.\(property.isOptional ? "optional" : "required")(\(arguments))\(property.cast)"
    }
  }

  extension Property {
    /// The type alias behind an expression of the property's type.
    fileprivate var cast: String { checked.map { " as \($0)" } ?? "" }
  }

  extension Model {
    /// The stored form of the model.
    var coding: PropertyCoding { PropertyCoding(properties: properties, access: "\(visibility)nonisolated ", isBroken: isBroken) }
  }
#endif
