import Testing

@testable import TodoCore

@Suite("The columns of a text") struct ColumnsTests {
  @Test(
    "are two for a wide character, none for a lone mark",
    arguments: [
      ("abc", 3), ("Käse", 4), ("e\u{301}", 1), ("日本語", 6), ("👩‍🚒", 2), ("❤️", 2), ("\u{301}", 0), ("한글", 4), ("🇩🇪", 2), ("…", 1),
    ])
  func count(text: String, columns: Int) { #expect(Columns.count(text) == columns) }

  @Test("are never more than there is room for") func fit() {
    #expect(Columns.fit("abc", 3) == "abc")
    #expect(Columns.fit("abcd", 3) == "ab…")
    #expect(Columns.fit("日本語", 5) == "日本…")
    #expect(Columns.fit("日本語", 4) == "日…")
    #expect(Columns.fit("ab", 1) == "…")
    #expect(Columns.fit("ab", 0) == "")
  }
}
