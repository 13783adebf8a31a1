public import Alter

// The stored form of the copy's state, written by hand: each case has an object with the labels of its values, where @Wire would write the
// single value of `saving` alone. The names are part of the file format: never change one.

extension Cloud: Codable {
  /// Decodes `{"saved":{"items":3,"to":"https://…"}}`.
  ///
  /// - Throws: `DecodingError`, also for an unknown case.
  public init(from decoder: any Decoder) throws {
    let wire = try WireCase(of: Self.self, from: decoder)
    let fields = try wire.fields()
    switch wire.name {
    case "saving": self = .saving(to: try fields.value("to"))
    case "saved": self = .saved(to: try fields.value("to"), items: try fields.value("items"))
    case "failed": self = .failed(to: try fields.value("to"), why: try fields.value("why"))
    default: throw wire.unknown
    }
  }

  /// Encodes `{"saved":{"items":3,"to":"https://…"}}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .saving(let url):
      try WireCase.encode("saving", to: encoder) { try $0.write(url, "to") }
    case .saved(let url, let items):
      try WireCase.encode("saved", to: encoder) { fields in
        try fields.write(url, "to")
        try fields.write(items, "items")
      }
    case .failed(let url, let why):
      try WireCase.encode("failed", to: encoder) { fields in
        try fields.write(url, "to")
        try fields.write(why, "why")
      }
    }
  }
}

extension Cloud: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    if reader.isCase("saving") {
      var object = try reader.beginObject()
      let to: String = try reader.required("to", in: &object)
      try reader.endObject(&object)
      self = .saving(to: to)
    } else if reader.isCase("saved") {
      var object = try reader.beginObject()
      let items: Int = try reader.required("items", in: &object)
      let to: String = try reader.required("to", in: &object)
      try reader.endObject(&object)
      self = .saved(to: to, items: items)
    } else if reader.isCase("failed") {
      var object = try reader.beginObject()
      let to: String = try reader.required("to", in: &object)
      let why: String = try reader.required("why", in: &object)
      try reader.endObject(&object)
      self = .failed(to: to, why: why)
    } else {
      throw StoredFormError()
    }
    try reader.endCase()
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .saving(let to):
      try writer.beginCase("saving")
      try writer.beginObject()
      try writer.field(to, "to")
      writer.endObject()
    case .saved(let to, let items):
      try writer.beginCase("saved")
      try writer.beginObject()
      try writer.field(items, "items")
      try writer.field(to, "to")
      writer.endObject()
    case .failed(let to, let why):
      try writer.beginCase("failed")
      try writer.beginObject()
      try writer.field(to, "to")
      try writer.field(why, "why")
      writer.endObject()
    }
    writer.endObject()
  }
}
