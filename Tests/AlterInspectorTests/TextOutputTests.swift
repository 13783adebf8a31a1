import Foundation
import Testing
import _AlterTerminal

@Suite("The output of a command")
struct TextOutputTests {
  @Test("is plain, and has no size, where it is no terminal")
  func file() throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let output = TextOutput(descriptor: fileno(file))
    #expect(!output.isTerminal)
    #expect(output.style == .plain)
    #expect(output.size == nil)
    #expect(output.write("Käse\n") == 0)
    #expect(output.write([0x00, 0xFF]) == 0)
    rewind(file)
    var bytes = [UInt8](repeating: 7, count: 16)
    #expect(fread(&bytes, 1, 16, file) == 8)
    #expect(bytes.prefix(8) == [0x4B, 0xC3, 0xA4, 0x73, 0x65, 0x0A, 0x00, 0xFF])
  }

  @Test("has the size of its terminal, and a usual one where that is unknown")
  func terminal() throws {
    var (main, terminal): (Int32, Int32) = (0, 0)
    var size = winsize(ws_row: 30, ws_col: 90, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&main, &terminal, nil, nil, &size) == 0)
    defer { for descriptor in [main, terminal] { close(descriptor) } }
    let output = TextOutput(descriptor: terminal)
    #expect(output.isTerminal)
    #expect(output.size.map { [$0.columns, $0.rows] } == [90, 30])
    size = winsize()
    try #require(ioctl(main, UInt(TIOCSWINSZ), &size) == 0)
    #expect(output.size.map { [$0.columns, $0.rows] } == [80, 24])
  }

  @Test("says why a write failed")
  func failure() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[1])
    defer { close(ends[0]) }
    // The end for reading can't be written to.
    #expect(TextOutput(descriptor: ends[0]).write("a") == EBADF)
    #expect(TextOutput(descriptor: ends[0]).write("") == 0)
  }
}
