// A small HTTP server for the demo and the tests of `todo cloud`. It stores each PUT document.
//
//   cloud-server FOLDER [--hold]
//
// The server first prints its address, then for each request `asked PATH`, and `stored PATH`, or `again PATH` for the document that it has already. With --hold it waits for a line
// of its input before each answer. It listens on the loopback interface, serves one connection at a time, and supports only the subset of
// HTTP that this needs.

import Foundation

/// A request of a client.
struct Request {
  var method = ""
  var path = ""
  var headers: [String: String] = [:]
  var body: [UInt8] = []

  /// The maximum size of a request, in bytes.
  static let limit = 16 << 20

  /// Reads a request from a connection; nil if there is none.
  init?(from connection: Int32) {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    var headEnd: Int?
    while headEnd == nil {
      guard Self.readMore(connection, &bytes) else { return nil }
      headEnd = bytes.firstRange(of: end)?.upperBound
    }
    guard let headEnd else { return nil }
    let lines = String(decoding: bytes[..<(headEnd - end.count)], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    (method, path) = (String(words[0]), String(words[1]))
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    guard (0...Self.limit).contains(length) else { return nil }
    if headers["expect"]?.lowercased() == "100-continue" { respond(connection, "HTTP/1.1 100 Continue\r\n\r\n") }
    while bytes.count < headEnd + length {
      guard Self.readMore(connection, &bytes) else { return nil }
    }
    body = Array(bytes[headEnd..<(headEnd + length)])
  }

  private static func readMore(_ connection: Int32, _ bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(connection, &buffer, buffer.count)
    guard count > 0, bytes.count + count <= limit + 65_536 else { return false }
    bytes += buffer[..<count]
    return true
  }
}

func respond(_ connection: Int32, _ text: String) {
  let bytes = Array(text.utf8)
  _ = write(connection, bytes, bytes.count)
}

/// Prints a line without buffering.
func say(_ line: String) { respond(STDOUT_FILENO, line + "\n") }

/// A socket that listens on a free port of the loopback interface.
func listen() -> (socket: Int32, port: UInt16)? {
  #if canImport(Glibc)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let listener = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(listener, address, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, address, &size) == 0
    }
  }
  return isBound ? (listener, UInt16(bigEndian: address.sin_port)) : nil
}

/// A file name without characters that are special in paths.
func fileName(_ text: String) -> String { String(text.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }

signal(SIGPIPE, SIG_IGN)
let arguments = CommandLine.arguments
guard arguments.count >= 2, let (listener, port) = listen() else {
  say("usage: cloud-server FOLDER [--hold]")
  exit(64)
}
let folder = URL(filePath: arguments[1])
let holds = arguments.contains("--hold")
say("listening on http://127.0.0.1:\(port)")

while true {
  let connection = accept(listener, nil, nil)
  guard connection >= 0 else { continue }
  defer { close(connection) }
  guard let request = Request(from: connection) else { continue }
  say("asked \(request.path)")
  if holds { _ = readLine() }
  guard request.method == "PUT" else {
    respond(connection, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    continue
  }
  let file = folder.appending(path: "body-" + fileName(request.path))
  if (try? Data(contentsOf: file)) == Data(request.body) {
    say("again \(request.path)")
  } else {
    try? Data(request.body).write(to: file, options: .atomic)
    say("stored \(request.path)")
  }
  respond(connection, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
}
