public import Foundation

/// A temporary folder of a test. It is removed with its contents when nothing refers to it any more.
public final class Folder: Sendable {
  /// The path of the folder. It is short, because the path of a socket may have 100 bytes.
  public let path: String

  /// Creates an empty folder.
  ///
  /// - Parameter inMemory: Whether the folder is in memory, where the system has such a place. A test that depends on a real disk passes false.
  /// - Throws: An error of Foundation, if the folder can't be created.
  public init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let isInMemory = inMemory && access(memory, W_OK | X_OK) == 0
    path = (isInMemory ? memory : FileManager.default.temporaryDirectory.path) + "/alter-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Runs a test with a folder that exists until the test returns.
  public static func use<Result>(_ body: (Folder) async throws -> Result) async throws -> Result {
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(folder)
  }

  /// The folder as a URL.
  public var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { path + "/" + name }

  /// The contents of a file in the folder.
  public func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

  /// Writes a file into the folder.
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path(name))) }

  /// The names of all files in the folder, sorted.
  public var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}
