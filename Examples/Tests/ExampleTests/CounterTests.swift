import Testing

@Suite("counter") struct CounterTests {
  @Test("counts up and down") func counts() throws {
    let lines = try Example.run("counter", input: "+\n+\n-\nx\n\n")
    #expect(Array(lines.dropFirst()) == ["1", "2", "1", "+ or -", "1"])
  }
}
