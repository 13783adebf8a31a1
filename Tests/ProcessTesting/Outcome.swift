public import Foundation

/// The output and the status of a command.
public struct Outcome: Sendable, CustomStringConvertible {
  /// The exit status, or 128 plus the number of the signal that ended the command.
  public let status: Int32
  /// The standard output.
  public let bytes: [UInt8]
  /// The standard error.
  public let errors: String
  /// The standard output as text.
  public var output: String { String(decoding: bytes, as: UTF8.self) }
  /// The lines of the standard output.
  public var lines: [String] { output.split(separator: "\n").map(String.init) }
  /// The status, the output and the errors.
  public var description: String { "status \(status)\noutput: \(output)\nerrors: \(errors)" }
}

extension ChildProcess {
  /// Runs a command to its end. Its streams are files, so that no thread has to read them. Blocks.
  ///
  /// - Parameters:
  ///   - command: The path of the executable and its arguments.
  ///   - environment: The whole environment; that of the tests by default.
  ///   - folder: The working directory; that of the tests by default.
  ///   - input: The standard input.
  ///   - output: A descriptor for the standard output; nil to return it.
  ///   - errors: A descriptor for the standard error; nil to return it.
  ///   - mergesErrors: Whether the standard error goes to the standard output.
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

/// A file without a name. No other process sees it, and it leaves nothing behind.
public final class NamelessFile: Sendable {
  /// The descriptor of the file.
  public let descriptor: Int32

  /// Creates a file with these bytes, positioned at its beginning.
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

  /// The whole content so far.
  public var bytes: [UInt8] {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while case let count = pread(descriptor, &buffer, buffer.count, off_t(bytes.count)), count > 0 { bytes += buffer[..<count] }
    return bytes
  }
}
