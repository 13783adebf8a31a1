#if Inspector
  import AlterCore
  import AlterJournal
  import Dispatch

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Closes a journal before a signal ends the command, so that a reader leaves nothing beside the file. Then the signal does what it does.
  struct SignalEnd {
    private let sources: [any DispatchSourceSignal]
    private static let pending = Lock<Int32?>(nil)

    /// Whether a signal has come: what fails now fails because of it, and nobody wants to hear of it.
    static var isPending: Bool { pending.withLock { $0 != nil } }

    /// Begins to listen for Ctrl-C and Ctrl-\, for what `kill` sends, and for the end of the terminal. What is ignored already, as under `nohup`, still is.
    init(closing journal: any Journal) {
      sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].compactMap { number in
        // SIG_IGN is the address 1 on every platform.
        let old = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
        guard old != 1 else { return nil }
        let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "alter.inspector.signal"))
        source.setEventHandler { @Sendable in
          Self.pending.withLock { $0 = number }
          Task { await Self.end(journal) }
        }
        source.resume()
        return source
      }
    }

    /// Ends the process by the signal that has come, if one has. Whoever gets here first does it: the signal's own task, or the work that the closed journal
    /// has ended.
    static func end(_ journal: any Journal) async {
      guard let number = pending.withLock({ $0 }) else { return }
      await journal.close()
      signal(number, SIG_DFL)
      // Dispatch reads signals as bytes and blocks them for that: sent to the process, this one could end there again. A thread's own signal is dealt with
      // before `raise` returns.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, number)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(number)
    }

    /// Stops listening: a signal ends the command at once.
    func stop() {
      for source in sources {
        source.cancel()
        signal(Int32(source.handle), SIG_DFL)
      }
    }
  }
#endif
