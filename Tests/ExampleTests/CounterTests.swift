import Testing

@Suite("counter") struct CounterTests {
  @Test("counts up and down") func counts() throws {
    let lines = try Example.run("counter", input: ["+", "+", "-", "x", ""])
    #expect(Array(lines.dropFirst()) == ["1", "2", "1", "+ or -", "1"])
  }
}
