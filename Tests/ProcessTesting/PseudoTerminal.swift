import Foundation

/// A terminal that a test observes.
public enum PseudoTerminal {
  /// Opens a terminal.
  ///
  /// - Returns: The end that receives the printed bytes, and the end for a process.
  public static func open() throws -> (watching: Int32, given: Int32) {
    #if os(Linux)
      // Swift can't see `unlockpt` and `ptsname` here, so these are their system calls. The numbers are from Linux's
      // `asm-generic/ioctls.h`.
      let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      let watching = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (locked, number): (Int32, UInt32) = (0, 0)
      guard watching >= 0, ioctl(watching, setLock, &locked) == 0, ioctl(watching, getNumber, &number) == 0 else {
        throw ChildProcess.SpawnError("a terminal")
      }
      let name = "/dev/pts/\(number)"
    #else
      let watching = posix_openpt(O_RDWR | O_NOCTTY)
      guard watching >= 0, grantpt(watching) == 0, unlockpt(watching) == 0, let text = ptsname(watching) else {
        throw ChildProcess.SpawnError("a terminal")
      }
      let name = String(cString: text)
    #endif
    let given = Foundation.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard given >= 0 else { throw ChildProcess.SpawnError("the terminal \(name)") }
    return (watching, given)
  }

  /// Runs a command on a terminal to its end.
  ///
  /// - Parameters:
  ///   - command: The path of the executable and its arguments.
  ///   - environment: The whole environment.
  /// - Returns: The status, and all bytes sent to the terminal.
  public static func run(_ command: [String], environment: [String: String]) async throws -> (status: Int32, shown: String) {
    let (watching, given) = try open()
    defer { close(watching) }
    let child: ChildProcess
    do { child = try ChildProcess(command, environment: environment, streams: [given, given, given]) } catch {
      close(given)
      throw error
    }
    close(given)
    let bytes = await onThread {
      // The output is read while the command runs, because a terminal's buffer is small. On Linux the end is reported as an error.
      var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
      while case let count = read(watching, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
      return bytes
    }
    return (await child.ended(), String(decoding: bytes, as: UTF8.self))
  }
}
