#if Macros
  extension Model {
    /// The initialiser that decodes a value.
    var decodingInitialiser: String {
      let lines = properties.map { property in
        var arguments = ["\"\(property.wireName)\""]
        if !property.olderNames.isEmpty { arguments.append("formerly: " + property.olderNames.map { "\"\($0)\"" }.joined(separator: ", ")) }
        if let standIn = property.standIn { arguments.append("default: \(standIn)") }
        return "self.\(property.name) = try fields.value(\(arguments.joined(separator: ", ")))"
      }
      guard !isBroken else { return "\(visibility)nonisolated init(from decoder: any Decoder) throws { fatalError() }" }
      return """
        /// Reads the properties by their names.
        \(visibility)nonisolated init(from decoder: any Decoder) throws {
          let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
        \(lines.joined(separator: "\n").indented)
        }
        """
    }

    /// The method that encodes a value.
    var encodingMethod: String {
      let lines = properties.map { property in
        // An absent key means the default, so nil must be written as `null`.
        let label = property.isOptional && property.standIn != nil ? "orNull: " : ""
        return "try fields.write(\(label)self.\(property.name), \"\(property.wireName)\")"
      }
      guard !isBroken else { return "\(visibility)nonisolated func encode(to encoder: any Encoder) throws { fatalError() }" }
      return """
        /// Writes the properties by their names; an optional that is nil is left out.
        \(visibility)nonisolated func encode(to encoder: any Encoder) throws {
          var fields = AlterJournal.WireWriter(to: encoder)
        \(lines.joined(separator: "\n").indented)
        }
        """
    }
  }
#endif
