#if SQLite && (os(Linux) || os(Android))
  import AlterCore
  import Dispatch

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The events of the files of all journals in this process, by one inotify instance and one dispatch source. Both exist only while a file
  /// is watched.
  ///
  /// The kernel has one watch for each file in an instance, so the handlers of a file share it.
  final class FileEvents: Sendable {
    /// Receives the kinds of events, a combination of the constants `IN_…`. It runs on the queue of the events and must return at once.
    typealias Handler = @Sendable (_ events: UInt32) -> Void

    /// One watched file and one handler.
    struct Token: Sendable, Hashable { fileprivate let number: Int }

    private struct Watch {
      var handlers: [Int: Handler] = [:]
      var mask: UInt32 = 0
    }

    private struct Contents {
      /// The inotify descriptor. The source's cancel handler closes it.
      var descriptor: Int32?
      var source: (any DispatchSourceRead)?
      var lastToken = 0
      /// By the kernel's number.
      var watches: [Int32: Watch] = [:]
      var numbers: [Int: Int32] = [:]
    }

    static let shared = FileEvents()

    private let queue = DispatchQueue(label: "alter.sqlite.events")
    private let contents = Lock(Contents())

    /// Starts to watch a file or a folder. A link is not followed.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - events: The events to report. With `IN_ONESHOT` the watch ends with the first event. All watches of one file must agree on that.
    ///   - handler: Receives each event, and `IN_IGNORED` when the watch has ended because the file is gone.
    /// - Returns: The token to end the watch; nil if the system allows no further instance or watch, or if there is no file.
    func watch(_ path: String, for events: UInt32, _ handler: @escaping Handler) -> Token? {
      contents.withLock { contents in
        guard let descriptor = open(&contents) else { return nil }
        let number = inotify_add_watch(descriptor, path, events | UInt32(IN_DONT_FOLLOW))
        guard number >= 0 else {
          closeIfUnused(&contents)
          return nil
        }
        let known = contents.watches[number]?.mask ?? 0
        // The call has replaced the mask of the other handlers.
        if known | events != events { inotify_add_watch(descriptor, path, known | events | UInt32(IN_DONT_FOLLOW)) }
        contents.lastToken += 1
        contents.watches[number, default: Watch()].handlers[contents.lastToken] = handler
        contents.watches[number]?.mask = known | events
        contents.numbers[contents.lastToken] = number
        return Token(number: contents.lastToken)
      }
    }

    /// Ends a watch. A handler that is running ends by itself.
    func end(_ token: Token) {
      contents.withLock { contents in
        guard let number = contents.numbers.removeValue(forKey: token.number) else { return }
        contents.watches[number]?.handlers[token.number] = nil
        if contents.watches[number]?.handlers.isEmpty == true {
          contents.watches[number] = nil
          if let descriptor = contents.descriptor { inotify_rm_watch(descriptor, number) }
        }
        closeIfUnused(&contents)
      }
    }

    /// Writes to a watched file without an event, and calls the other handlers of the file.
    ///
    /// No other process may write to the file meanwhile, because its event would be missed, too.
    ///
    /// - Parameters:
    ///   - token: The watch whose handler is not called.
    ///   - path: The path of the file.
    ///   - write: Writes to the file. It is called once.
    /// - Returns: False if the file is not watched any more, so that later events are missed.
    func silently(_ token: Token, at path: String, _ write: () -> Void) -> Bool {
      let (isWatched, others): (Bool, [Handler]) = contents.withLock { contents in
        guard let descriptor = contents.descriptor, let number = contents.numbers[token.number], let watch = contents.watches[number] else {
          write()
          return (false, [])
        }
        // A second mask for the same file replaces the first, without an event.
        let deaf = inotify_add_watch(descriptor, path, UInt32(IN_DELETE_SELF | IN_DONT_FOLLOW))
        write()
        // Another number: there is another file at the path. Its own handlers must receive its events again.
        if deaf >= 0, deaf != number {
          if let other = contents.watches[deaf] {
            inotify_add_watch(descriptor, path, other.mask | UInt32(IN_DONT_FOLLOW))
          } else {
            inotify_rm_watch(descriptor, deaf)
          }
        }
        let isWatched = deaf == number && inotify_add_watch(descriptor, path, watch.mask | UInt32(IN_DONT_FOLLOW)) == number
        return (isWatched, watch.handlers.filter { $0.key != token.number }.map(\.value))
      }
      if !others.isEmpty { queue.async { for handler in others { handler(UInt32(IN_MODIFY)) } } }
      return isWatched
    }

    // MARK: - The instance

    private func open(_ contents: inout Contents) -> Int32? {
      if let descriptor = contents.descriptor { return descriptor }
      let descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { @Sendable [self] in deliver(descriptor) }
      source.setCancelHandler { @Sendable in close(descriptor) }
      contents.descriptor = descriptor
      contents.source = source
      source.resume()
      return descriptor
    }

    private func closeIfUnused(_ contents: inout Contents) {
      guard contents.numbers.isEmpty else { return }
      contents.source?.cancel()
      contents.source = nil
      contents.descriptor = nil
      contents.watches = [:]
    }

    /// Reads the events and calls their handlers, several events of one file together.
    private func deliver(_ descriptor: Int32) {
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: MemoryLayout<inotify_event>.alignment)
      defer { bytes.deallocate() }
      while true {
        let count = read(descriptor, bytes.baseAddress, bytes.count)
        guard count > 0 else { return }
        var events: [Int32: UInt32] = [:]
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          events[event.wd, default: 0] |= event.mask
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
        deliver(events, from: descriptor)
      }
    }

    private func deliver(_ events: [Int32: UInt32], from descriptor: Int32) {
      let calls: [(Handler, UInt32)] = contents.withLock { contents in
        guard contents.descriptor == descriptor else { return [] }
        // The kernel has dropped events: each watch may have had one.
        if events.values.contains(where: { $0 & UInt32(IN_Q_OVERFLOW) != 0 }) {
          return contents.watches.values.flatMap { watch in watch.handlers.values.map { ($0, watch.mask) } }
        }
        var calls: [(Handler, UInt32)] = []
        for (number, mask) in events {
          guard let watch = contents.watches[number] else { continue }
          calls += watch.handlers.values.map { ($0, mask) }
          guard mask & UInt32(IN_IGNORED) != 0 else { continue }
          for token in watch.handlers.keys { contents.numbers[token] = nil }
          contents.watches[number] = nil
        }
        closeIfUnused(&contents)
        return calls
      }
      for (handler, mask) in calls { handler(mask) }
    }
  }
#endif
