import Testing

@testable import TodoCore

@Suite("The syntax of JSON") struct JSONSyntaxTests {
  private func problem(_ text: String) -> String? {
    do throws(JSONSyntax.Problem) {
      try JSONSyntax.check(Array(text.utf8))
      return nil
    } catch {
      return error.description
    }
  }

  @Test(
    "is accepted to the letter",
    arguments: [
      "{}", "[]", " {\"a\" : [1, -2.5e+10, 0, 0.5E-3, true, false, null, \"\"]}\r\n\t", #""\"\\\/\b\f\n\r\t\u00e4 ä 👩‍🚒""#, "\u{FEFF}{}",
      "12",
      "[[[]]]",
    ])
  func legal(text: String) { #expect(problem(text) == nil) }

  @Test(
    "is refused with the line, the column and the reason",
    arguments: [
      ("", "line 1, column 1: it ends too early"), ("{", "line 1, column 2: it ends too early"),
      ("{\"a\":1,\n}", "line 2, column 1: a name in quotation marks is expected here"),
      ("[1,\n 2\n 3]", "line 3, column 2: a comma or ] is expected here"),
      ("{\"a\" 1}", "line 1, column 6: a colon is expected here"),
      ("{a:1}", "line 1, column 2: a name in quotation marks is expected here"),
      ("[1,]", "line 1, column 4: a value is expected here"), ("[01]", "line 1, column 3: a comma or ] is expected here"),
      ("[1.]", "line 1, column 4: a value is expected here"), ("[tru]", "line 1, column 5: true is misspelled"),
      ("{} {}", "line 1, column 4: more text follows its end"), ("\"a\nb\"", "line 1, column 3: a string continues beyond its line"),
      (#""\x""#, "line 1, column 3: a backslash needs an escape character after it"),
      (#""\u12g4""#, "line 1, column 6: \\u needs four hexadecimal digits after it"), ("\"abc", "line 1, column 5: it ends too early"),
      ("'a'", "line 1, column 1: a value is expected here"),
    ])
  func illegal(text: String, message: String) { #expect(problem(text) == message) }

  @Test("is refused when a text in it is no UTF-8") func invalidUTF8() {
    #expect(throws: JSONSyntax.Problem(line: 1, column: 5, reason: "the text before this is not valid UTF-8")) {
      try JSONSyntax.check([UInt8(ascii: "["), UInt8(ascii: "\""), 0xC3, 0x28, UInt8(ascii: "\""), UInt8(ascii: "]")])
    }
  }

  @Test("is refused when it is nested so deeply that reading it could end the process") func deep() {
    #expect(problem(String(repeating: "[", count: 1_000_000)) == "line 1, column 129: it is nested too deeply")
  }
}
