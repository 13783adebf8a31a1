public import Foundation

/// What a command said, and how it ended.
public struct Outcome: Sendable, CustomStringConvertible {
  /// Its exit status, or 128 and the number of the signal that ended it.
  public let status: Int32
  /// What it wrote to its standard output.
  public let bytes: [UInt8]
  /// What it wrote to its standard error.
  public let errors: String
  /// The standard output as text.
  public var output: String { String(decoding: bytes, as: UTF8.self) }
  /// The lines of the standard output.
  public var lines: [String] { output.split(separator: "\n").map(String.init) }
  /// The status, the output and the errors.
  public var description: String { "status \(status)\noutput: \(output)\nerrors: \(errors)" }
}

extension ChildProcess {
  /// Runs a command to its end. Its streams are files: nothing has to be drained. Blocks.
  ///
  /// - Parameters:
  ///   - command: The executable's path, and what follows.
  ///   - environment: All of its environment; that of the tests by default.
  ///   - folder: Where it works; where the tests do by default.
  ///   - input: Its standard input.
  ///   - output: What becomes its standard output, instead of a file that is read here.
  ///   - errors: What becomes its standard error.
  ///   - mergesErrors: Whether its standard error is its standard output.
  public static func run(
    _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment, in folder: String? = nil,
    input: [UInt8] = [], output: Int32? = nil, errors: Int32? = nil, mergesErrors: Bool = false
  ) throws -> Outcome {
    let files = (input: try NamelessFile(input), output: try NamelessFile(), errors: try NamelessFile())
    let out = output ?? files.output.descriptor
    let child = try ChildProcess(
      command, environment: environment, in: folder,
      streams: [files.input.descriptor, out, mergesErrors ? out : errors ?? files.errors.descriptor])
    return Outcome(status: child.wait(), bytes: files.output.bytes, errors: String(decoding: files.errors.bytes, as: UTF8.self))
  }
}

/// A file without a name: nobody else sees it, and nothing is left of it.
public final class NamelessFile: Sendable {
  /// The descriptor of the file.
  public let descriptor: Int32

  /// A file to write to, or one to read from the beginning.
  public init(_ bytes: [UInt8] = []) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("alter-child-\(UUID().uuidString)").path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ChildProcess.SpawnError("a file in \(path)") }
    unlink(path)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { throw ChildProcess.SpawnError("a file in \(path)") }
      written += max(count, 0)
    }
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit { close(descriptor) }

  /// All that was written to it so far.
  public var bytes: [UInt8] {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while case let count = pread(descriptor, &buffer, buffer.count, off_t(bytes.count)), count > 0 { bytes += buffer[..<count] }
    return bytes
  }
}
