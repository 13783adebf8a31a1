#if SQLite
  import AlterCore

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The file that a writer writes to after each commit, so that the others, who watch it, wake up.
  ///
  /// Watching SQLite's own files would not do: they change before a commit can be seen. The bell holds the last revision that was written (8 bytes,
  /// big-endian, not synced): a hint, never the truth, except that a journal whose bell has rung can't be empty.
  ///
  /// `@unchecked Sendable`: the descriptor never changes between init and deinit; `pwrite` may be called from any thread.
  final class Doorbell: @unchecked Sendable {
    private let descriptor: Int32

    /// Opens the bell, making it if it is missing, with mode 0600. Without one (an unwritable folder) ringing does nothing: others poll.
    init(path: String) {
      #if canImport(Darwin)
        descriptor = Darwin.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      #elseif canImport(Glibc)
        descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      #else
        descriptor = Musl.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      #endif
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Tells everybody that the journal has grown.
    func ring(_ revision: Revision) {
      guard descriptor >= 0 else { return }
      withUnsafeBytes(of: revision.number.bigEndian) { _ = pwrite(descriptor, $0.baseAddress, 8, 0) }
    }

    /// The revision that the bell at a path was last rung with; 0 when it never was.
    static func lastRung(at path: String) -> Revision {
      #if canImport(Darwin)
        let descriptor = Darwin.open(path, O_RDONLY | O_CLOEXEC)
      #elseif canImport(Glibc)
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
      #else
        let descriptor = Musl.open(path, O_RDONLY | O_CLOEXEC)
      #endif
      guard descriptor >= 0 else { return .zero }
      defer { close(descriptor) }
      var number: Int64 = 0
      let count = withUnsafeMutableBytes(of: &number) { pread(descriptor, $0.baseAddress, 8, 0) }
      return count == 8 ? Revision(Int64(bigEndian: number)) : .zero
    }
  }
#endif
