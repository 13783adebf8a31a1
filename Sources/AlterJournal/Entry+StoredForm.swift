public import AlterCore

extension EntryID: _TotalStoredForm {
  /// Reads an object of the two parts.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    var object = try reader.beginObject()
    let origin: Origin = try reader.required("origin", in: &object)
    let sequence: Int64 = try reader.required("sequence", in: &object)
    try reader.endObject(&object)
    self.init(origin: origin, sequence: sequence)
  }

  /// Writes an object of the two parts.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginObject()
    try writer.field(origin, "origin")
    try writer.field(sequence, "sequence")
    writer.endObject()
  }
}

extension Entry.Targets: _TotalStoredForm {
  /// Reads an object with one target or with the list.
  package init(from reader: inout StoredReader) throws(StoredFormError) {
    var object = try reader.beginObject()
    if let target: EntryID = try reader.optional("target", in: &object) {
      try reader.endObject(&object)
      self.init(byRule: target)
    } else {
      let targets: [EntryID] = try reader.required("targets", in: &object)
      try reader.endObject(&object)
      self.init(targets)
    }
  }

  /// Writes an object with one target or with the list.
  package func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginObject()
    if isByRule { try writer.field(targets[0], "target") } else { try writer.field(targets, "targets") }
    writer.endObject()
  }
}

extension Cause: _TotalStoredForm {
  /// Reads an object of the parts that are present.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    self.init()
    var object = try reader.beginObject()
    answers = try reader.optional("answers", in: &object)
    depth = try reader.optional("depth", in: &object)
    feedback = try reader.optional("feedback", in: &object)
    metadata = try reader.optional("metadata", in: &object)
    request = try reader.optional("request", in: &object)
    requires = try reader.optional("requires", in: &object)
    retries = try reader.optional("retries", in: &object)
    try reader.endObject(&object)
  }

  /// Writes an object of the parts that are present.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginObject()
    try writer.field(answers, "answers")
    try writer.field(depth, "depth")
    try writer.field(feedback, "feedback")
    try writer.field(metadata, "metadata")
    try writer.field(request, "request")
    try writer.field(requires, "requires")
    try writer.field(retries, "retries")
    writer.endObject()
  }
}
