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

  /// Closes a journal before a signal ends the command, so that a reader leaves no files next to the journal. Then the signal has its
  /// default effect.
  struct SignalEnd {
    private let sources: [any DispatchSourceSignal]
    private static let pending = Lock<Int32?>(nil)

    /// Whether a signal has arrived. Later failures are consequences of it, and are not reported.
    static var isPending: Bool { pending.withLock { $0 != nil } }

    /// Starts to handle Ctrl-C and Ctrl-\ (SIGINT, SIGQUIT), SIGTERM, and SIGHUP. A signal that the process already ignores, for example
    /// under `nohup`, stays ignored.
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

    /// Ends the process by the signal that has arrived, if there is one. Both the signal's handler and the work that the closed journal has
    /// ended call it; the first one takes effect.
    static func end(_ journal: any Journal) async {
      guard let number = pending.withLock({ $0 }) else { return }
      await journal.close()
      signal(number, SIG_DFL)
      // Dispatch blocks the signals and reads them from a descriptor, so it could consume a signal to the process again. `raise` signals
      // only this thread, and returns after the signal was delivered.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, number)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(number)
    }

    /// Stops handling signals: a later signal ends the command at once.
    func stop() {
      for source in sources {
        source.cancel()
        signal(Int32(source.handle), SIG_DFL)
      }
    }
  }
#endif
