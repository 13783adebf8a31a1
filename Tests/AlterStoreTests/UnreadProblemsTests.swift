#if DEBUG
  import Testing

  @testable import AlterStore

  @Suite("Problems that no code reads")
  struct UnreadProblemsTests {
    @Test("are kept to be printed once; a stream or a monitor ends that")
    func unread() {
      let problem = StoreProblem.feedback("mail", reason: "has stopped.")
      var log = ProblemLog(isMonitored: false)
      log.add(problem)
      log.add(problem)
      #expect(log.hasUnread && log.takeUnread().count == 2)
      #expect(!log.hasUnread && log.takeUnread().isEmpty)
      log.add(problem)
      #expect(log.hasUnread)
      let stream = log.stream(countedBy: StoreUsage())
      #expect(!log.hasUnread)
      log.add(problem)
      #expect(!log.hasUnread)
      withExtendedLifetime(stream) {}
      var monitored = ProblemLog(isMonitored: true)
      monitored.add(problem)
      #expect(!monitored.hasUnread && monitored.takeUnread().isEmpty)
    }

    @Test("are described with the store, and with the remedy")
    func description() {
      #expect(
        Store<Ledger1>.describe(unread: [.feedback("mail", reason: "has stopped."), .feedback("pay", reason: "is away.")], of: "a") == """
          Alter: Store<Ledger1> on 'a': The feedback 'mail': has stopped.
          Alter: Store<Ledger1> on 'a': The feedback 'pay': is away.
          Alter: Store<Ledger1> on 'a': Debug builds print this because no code reads the store's problems. Read them where you open the store, \
          in a task of their own: 'for await problem in store.problems { … }'.

          """)
    }
  }
#endif
