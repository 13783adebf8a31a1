/// A description of the stored form of types, for their fingerprint: the names, the types and the defaults of their properties, and those of
/// their parts.
///
/// The macros write the descriptions of models and enums. Any other type is described by its name alone.
public struct StoredFormDescription: Sendable {
  private var text = ""
  /// The number of names that are read.
  private var names: Int64 = 0
  /// The described types, in order. A type that contains itself is described once.
  private var described: [ObjectIdentifier: Int] = [:]
  /// The types that are being described, one in another.
  private var open: [ObjectIdentifier] = []
  /// Whether a value may contain others without a limit: a type contains itself, or has a form by hand that may hide this.
  private var canNest = false
  /// The properties of the outermost type; nil unless they are wanted, because finding the kind of a type takes many casts.
  private var fields: [StoredField]?
  private var hasCases = false

  private init() {}

  /// Describes a property, or one value of a case.
  ///
  /// - Parameters:
  ///   - name: The name in stored data.
  ///   - older: Its older names, which are read, too.
  ///   - standIn: The source text of its default; nil if it has none.
  ///   - value: Returns the value; only its type is used.
  public mutating func part<Root, Value: StoredForm>(
    _ name: String, _ older: String..., default standIn: String? = nil, of value: (Root) -> Value
  ) {
    begin(name, older, default: standIn, Value.self)
    put(Value.self)
  }

  /// Describes a property, or one value of a case, of any type.
  ///
  /// - Parameters:
  ///   - name: The name in stored data.
  ///   - older: Its older names, which are read, too.
  ///   - standIn: The source text of its default; nil if it has none.
  ///   - value: Returns the value; only its type is used.
  @_disfavoredOverload
  public mutating func part<Root, Value>(_ name: String, _ older: String..., default standIn: String? = nil, of value: (Root) -> Value) {
    begin(name, older, default: standIn, Value.self)
    put(any: Value.self)
  }

  private mutating func begin(_ name: String, _ older: [String], default standIn: String?, _ type: Any.Type) {
    put(name, older, default: standIn)
    if open.count == 1 { fields?.append(StoredField(name, StoredField.Kind(of: type))) }
  }

  /// Begins the description of a case.
  ///
  /// - Parameters:
  ///   - name: The name in stored data.
  ///   - older: Its older names, which are read, too.
  public mutating func oneCase(_ name: String, _ older: String...) {
    text += "\n|"
    if open.count == 1 { hasCases = true }
    put(name, older, default: nil)
  }

  /// Describes a type of which the described one consists.
  ///
  /// - Parameter type: The type.
  package mutating func put<Value: StoredForm>(_ type: Value.Type) {
    let id = ObjectIdentifier(type)
    if let number = described[id] {
      if open.contains(id) { canNest = true }
      text += "#\(number)"
      return
    }
    described[id] = described.count
    if !type._isTotal { notePart(of: type) }
    text += "{"
    open.append(id)
    type._describe(&self)
    open.removeLast()
    text += "}"
  }

  /// Describes any type. To find its conformance, the runtime searches the whole program once for each type: a short command would notice it.
  mutating func put(any type: Any.Type) {
    if let form = type as? any StoredForm.Type { return put(form) }
    notePart(of: type)
    put(named: _typeName(type, qualified: false))
  }

  /// Notes a type of which only the name is known. A value without references contains no other one.
  private mutating func notePart<Value>(of type: Value.Type) {
    if !_isPOD(type) { canNest = true }
  }

  /// Describes a type, or the kind of a container, by its name.
  package mutating func put(named name: String) { text += name }

  private mutating func put(_ name: String, _ older: [String], default standIn: String?) {
    names += Int64(1 + older.count)
    text += "\n" + ([name] + older).joined(separator: "<") + (standIn.map { "=" + $0 } ?? "") + ":"
  }

  /// Returns the fields of a type's stored form; none for a type with cases.
  static func fields(of type: Any.Type) -> [StoredField] {
    var description = StoredFormDescription()
    description.fields = []
    description.put(any: type)
    return description.hasCases ? [] : description.fields ?? []
  }

  /// Returns whether values of a type may contain others without a limit, so that one may be too deep to be stored.
  ///
  /// - Complexity: O(1); O(properties and cases of the type and its parts) for the first call for a type.
  package static func canNest(_ type: Any.Type) -> Bool {
    let id = ObjectIdentifier(type)
    if let known = nestings.withLock({ $0[id] }) { return known }
    var description = StoredFormDescription()
    description.put(any: type)
    nestings.withLock { $0[id] = description.canNest }
    return description.canNest
  }

  /// Returns the fingerprint of some types: a positive number. A type that reads more names, as after a compatible change, has a greater one.
  ///
  /// - Complexity: O(properties and cases of the types and their parts).
  package static func fingerprint(of types: [Any.Type]) -> Int64 {
    var description = StoredFormDescription()
    for type in types { description.put(any: type) }
    var hash = SipHash128(key0: 0x416C_7465_7220_666F, key1: 0x726D_2070_7269_6E74)
    var text = description.text
    text.withUTF8 { hash.combine(bytes: UnsafeRawBufferPointer($0)) }
    let digest = Int64(truncatingIfNeeded: hash.finalize().0 & 0xFFFF_FFFF_FFFF)
    return min(description.names, 0x7FFF) << 48 | max(digest, 1)
  }
}

/// The types that were asked whether their values can nest.
private let nestings = Lock<[ObjectIdentifier: Bool]>([:])
