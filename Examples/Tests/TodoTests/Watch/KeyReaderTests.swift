import Testing
import TodoCore

@Suite("The keys of a terminal") struct KeyReaderTests {
  private func keys(_ text: String) -> [Key] {
    var reader = KeyReader()
    return reader.read(Array(text.utf8))
  }

  @Test("are characters, controls, and the sequences that terminals send for the others") func keys() {
    #expect(keys("aÄ👩‍🚒 ") == [.character("a"), .character("Ä"), .character("👩"), .character("\u{200D}"), .character("🚒"), .character(" ")])
    #expect(keys("\r\n\u{7F}\u{8}\u{3}\u{1A}") == [.enter, .enter, .backspace, .backspace, .control("c"), .control("z")])
    #expect(keys("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D\u{1B}[H\u{1B}[F") == [.up, .down, .right, .left, .home, .end])
    #expect(keys("\u{1B}[1~\u{1B}[3~\u{1B}[4~\u{1B}[5~\u{1B}[6~\u{1B}[1;5C") == [.home, .delete, .end, .pageUp, .pageDown, .right])
    #expect(keys("\u{1B}") == [.escape])
    #expect(keys("\u{1B}x") == [.escape, .character("x")])
  }

  @Test("that mean nothing here are passed over, whole") func unknown() {
    #expect(keys("\u{1B}[24~a\u{1B}[I\u{1B}[?1;2cb\u{1B}[") == [.character("a"), .character("b")])
  }

  @Test("are read in pieces of any size, also in the middle of a character") func pieces() {
    let bytes = Array("aä€🚒b".utf8)
    for cut in 0...bytes.count {
      var reader = KeyReader()
      #expect(reader.read(Array(bytes[..<cut])) + reader.read(Array(bytes[cut...])) == "aä€🚒b".map(Key.character), "cut at \(cut)")
    }
    var reader = KeyReader()
    // No sequence of bytes may trap.
    for byte in UInt8.min...UInt8.max { _ = reader.read([byte, byte ^ 0xFF, 0x1B, byte]) }
  }
}
