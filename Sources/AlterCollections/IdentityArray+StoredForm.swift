public import AlterCore

extension IdentityArray: StoredForm, _TotalStoredForm where Element: StoredForm {
  /// Describes the form of its parts.
  public static func _describe(_ form: inout StoredFormDescription) {
    form.put(named: "[]")
    form.put(Element.self)
  }

  /// Reads an array of the elements.
  ///
  /// - Throws: `StoredFormError` if two elements have the same id; the errors of the elements' reading.
  /// - Complexity: O(n log n) expected.
  @inlinable
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    self.init()
    var array = try reader.beginArray()
    while try reader.hasElement(in: &array) {
      let count = count
      put(try Element(from: &reader))
      guard self.count > count else { throw StoredFormError() }
    }
  }

  /// Writes an array of the elements.
  ///
  /// - Throws: The errors of the elements' writing.
  /// - Complexity: O(n).
  @inlinable
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginArray()
    for element in self {
      writer.element()
      try writer.value(element)
    }
    writer.endArray()
  }
}

extension IdentityArray.Change: StoredForm, _TotalStoredForm where Element: StoredForm, Element.ID: StoredForm, Element.Change: StoredForm {
  /// Describes the form of its parts.
  public static func _describe(_ form: inout StoredFormDescription) {
    form.put(named: "IdentityArray.Change")
    form.put(Element.self)
    form.put(Element.ID.self)
    form.put(Element.Change.self)
  }

  /// Reads an object with one key, the name of the case.
  ///
  /// - Throws: `StoredFormError` for an unknown case; the errors of the payload's reading.
  @inlinable
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    try reader.beginCase()
    if reader.isCase("element") {
      var object = try reader.beginObject()
      let change: Element.Change = try reader.required("change", in: &object)
      let id: Element.ID = try reader.required("id", in: &object)
      try reader.endObject(&object)
      self = .element(id, change)
    } else if reader.isCase("put") {
      self = .put(try reader.value())
    } else if reader.isCase("add") {
      var object = try reader.beginObject()
      let position: Int? = try reader.optional("at", in: &object)
      let element: Element = try reader.required("element", in: &object)
      try reader.endObject(&object)
      self = .add(element, at: position)
    } else if reader.isCase("update") {
      self = .update(try reader.value())
    } else if reader.isCase("remove") {
      self = .remove(try reader.value())
    } else if reader.isCase("move") {
      var object = try reader.beginObject()
      let id: Element.ID = try reader.required("id", in: &object)
      let position: Int = try reader.required("to", in: &object)
      try reader.endObject(&object)
      self = .move(id, to: position)
    } else if reader.isCase("replace") {
      self = .replace(try reader.value())
    } else {
      throw StoredFormError()
    }
    try reader.endCase()
  }

  /// Writes an object with one key, the name of the case.
  ///
  /// - Throws: The errors of the payload's writing.
  @inlinable
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    switch self {
    case .put(let element):
      try writer.beginCase("put")
      try writer.value(element)
    case .add(let element, let position):
      try writer.beginCase("add")
      try writer.beginObject()
      try writer.field(position, "at")
      try writer.field(element, "element")
      writer.endObject()
    case .update(let element):
      try writer.beginCase("update")
      try writer.value(element)
    case .remove(let id):
      try writer.beginCase("remove")
      try writer.value(id)
    case .move(let id, let position):
      try writer.beginCase("move")
      try writer.beginObject()
      try writer.field(id, "id")
      try writer.field(position, "to")
      writer.endObject()
    case .replace(let elements):
      try writer.beginCase("replace")
      try writer.value(elements)
    case .element(let id, let change):
      try writer.beginCase("element")
      try writer.beginObject()
      try writer.field(change, "change")
      try writer.field(id, "id")
      writer.endObject()
    }
    writer.endObject()
  }
}
