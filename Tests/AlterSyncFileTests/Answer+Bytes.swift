#if SQLite
  import Alter
  import AlterSync
  import AlterSyncCore

  extension Answer<ServedDesk> {
    /// The answer as a device receives it: the state at a floor as bytes.
    var bytes: Answer<StateBytes> {
      switch self {
      case .page(let page): .page(page)
      case .snapshot(let fetched):
        .snapshot(
          Fetched(
            fetched.lineage,
            floor: Floor(
              head: fetched.floor.head, state: StateBytes((try? JournalCoding.encode(fetched.floor.state.desk)) ?? Desk.empty, schema: 1)),
            lines: fetched.lines))
      case .gone: .gone
      case .diverged(let lineage): .diverged(lineage)
      case .unauthorised: .unauthorised
      case .forbidden: .forbidden
      case .badEnvelope: .badEnvelope
      case .busy(let seconds): .busy(seconds)
      case .notUnderstood: .notUnderstood
      }
    }
  }
#endif
