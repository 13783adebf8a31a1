import Alter
public import AlterCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension FuzzTarget {
  /// The types whose stored form is read without Foundation's coders. The first byte of an input selects one.
  private static let storedTypes: [@Sendable (Data) throws -> Void] = [
    { try compareStoredForms(of: [Double].self, $0) }, { try compareStoredForms(of: [Float?].self, $0) },
    { try compareStoredForms(of: [UInt64].self, $0) },
    { try compareStoredForms(of: [Int8?].self, $0) }, { try compareStoredForms(of: [String].self, $0) },
    { try compareStoredForms(of: [Date].self, $0) },
    { try compareStoredForms(of: [UUID].self, $0) }, { try compareStoredForms(of: [Data].self, $0) },
    { try compareStoredForms(of: [URL].self, $0) },
    { try compareStoredForms(of: [String: [Bool]].self, $0) }, { try compareStoredForms(of: [Int: Int].self, $0) },
    { try compareStoredForms(of: Set<String>.self, $0) },
    { try compareStoredForms(of: WithFallback.self, $0) }, { try compareStoredForms(of: [Entry.Targets].self, $0) },
    { try compareStoredForms(of: [Cause].self, $0) },
    { try compareStoredForms(of: [[[[Int]]]].self, $0) },
  ]

  /// The stored form, read in both ways.
  static let storedForm = FuzzTarget(
    "storedForm",
    [
      #"0[1,-0,0.1,1e5,123456789012345678901,1.7976931348623157e+308,5e-324,"NaN","Infinity"]"#,
      #"1[1,null,-0.5,3.4028235e+38,"-Infinity"]"#,
      "2[18446744073709551615,18446744073709551616,0,01]", "3[-128,127,128,null,-0]", #"4["a\n\"\\\/\b\u001b\ud83d\ude00é🎉","","\u00e9"]"#,
      #"5["2026-12-01T09:30:00.25Z","+010000-01-01T00:00:00Z",1.5,"NaN"]"#, #"6["00000000-0000-4000-8000-00000000000a"]"#,
      #"7["AAEC","AA==",""]"#, #"8["https://example.org/a?b=c#d","",":"]"#, #"9{"a":[true],"b":[],"é":[false,true]}"#,
      #":{"1":2,"-1":0,"01":1}"#, #";["a","b","a"]"#,
      #"<{"amount":1.25,"colour":"red","other":{"inner":[[1]],"range":[0,1],"text":"x"},"others":[],"unknown":{"a":[1,"x",null]},"zone":"z"}"#,
      #"=[{"targets":[{"origin":"00000000-0000-4000-8000-000000000002","sequence":2}]}]"#,
      #">[{"answers":{"origin":"00000000-0000-4000-8000-000000000002","sequence":2},"feedback":"f","metadata":{"a":"b"}}]"#,
      "?[[[[1,2],[]]]]",
    ] + nastyJSON.map { "0" + $0 } + nastyJSON.map { "<" + $0 }
  ) { bytes in
    guard let first = bytes.first else { return }
    try storedTypes[Int(first) % storedTypes.count](Data(bytes.dropFirst()))
  }

  /// Reads bytes by a type's `StoredForm` and by its `Codable`; then writes the value in both ways, and reads those bytes in both ways.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - json: The bytes.
  /// - Throws: ``Surprise`` for a difference.
  public static func compareStoredForms<Value: StoredForm>(of type: Value.Type, _ json: Data) throws {
    var check = StoredFormCheck()
    do {
      try check(type, reading: json)
      if let value = StoredCoding.read(type, from: json) { try check(value) }
    } catch {
      throw Surprise("\(error)")
    }
  }
}
