#if Service
  /// A metric that a ``StoreTelemetry`` reports. The table in `docs/service.md` lists the same, and a test compares the two.
  struct Metric: Sendable, Hashable {
    enum Kind: String, Sendable {
      /// A number that only grows.
      case counter
      /// A number that grows and shrinks: the sum over all stores of the process.
      case gauge
      /// The distribution of durations. swift-metrics calls it a timer.
      case duration = "histogram, seconds"
      /// The distribution of sizes. swift-metrics calls it a recorder.
      case size = "histogram"
    }

    let name: String
    let kind: Kind
    let labels: [String]
    let meaning: String

    private init(_ name: String, _ kind: Kind, by labels: String..., of meaning: String) {
      (self.name, self.kind, self.labels, self.meaning) = (name, kind, labels, meaning)
    }

    // MARK: Stores

    static let stores = Metric("alter_stores", .gauge, by: "status", of: "Stores by status: `open`, `waiting` (an outage), `failed`.")
    static let openings = Metric(
      "alter_store_opening_duration_seconds", .duration, by: "outcome",
      of: "Openings of stores: `opened` or `failed`. Without the opening of the journal.")
    static let commits = Metric(
      "alter_store_commits_total", .counter, by: "outcome",
      of: "Changes, batches and undos: `confirmed`, `dropped` after a conflict, `failed` or `unknown` at the end of a store.")
    static let pending = Metric(
      "alter_store_pending_changes", .gauge, of: "Changes that wait for the journal, as of the last flight or the last attempt.")
    static let flights = Metric(
      "alter_store_flight_duration_seconds", .duration,
      of: "Flights: pending changes written together, from the encoding to the confirmation, retries included.")
    static let flightSizes = Metric("alter_store_flight_changes", .size, of: "Changes in a flight.")
    static let conflicts = Metric(
      "alter_store_conflicts_total", .counter, of: "Appends that were turned back because another writer was first.")
    static let snapshots = Metric("alter_store_snapshot_duration_seconds", .duration, of: "Snapshots that were made.")
    static let snapshotSizes = Metric("alter_store_snapshot_bytes", .size, of: "Bytes of a snapshot.")
    static let snapshotFailures = Metric(
      "alter_store_snapshot_failures_total", .counter, of: "Snapshots that could not be made. The next openings take longer.")
    static let problems = Metric(
      "alter_store_problems_total", .counter, by: "kind",
      of: "Problems, as in `store.problems`: `lost`, `refused_at_replay`, `nondeterministic`, `failed`, "
        + "`blocked_by_observer`, `feedback`, `snapshot_ignored`.")

    // MARK: Rows

    static let rowsLag = Metric(
      "alter_rows_lag_entries", .gauge, of: "Entries that the rows of `AlterRows` lack, as of the last attempt to write them.")
    static let rowsMoves = Metric(
      "alter_rows_advance_duration_seconds", .duration, of: "Advances of rows: from the attempt to the end of the transaction.")

    // MARK: Stores by key

    static let keys = Metric(
      "alter_stores_keys", .gauge, by: "phase",
      of: "Keys of `Stores` by phase: `waiting` (for a place in the budget), `opening`, `open`, `closing`.")
    static let keyedOpenings = Metric(
      "alter_stores_opening_duration_seconds", .duration, by: "outcome",
      of: "Openings by `Stores`, with the journal: `opened` or `failed`.")
    static let closings = Metric(
      "alter_stores_closings_total", .counter, by: "reason", of: "Closings by `Stores`: `idle`, or `failed` stores that were replaced.")
    static let bytes = Metric("alter_stores_bytes", .gauge, of: "Bytes of the open states, if `Stores` has a function for the size.")
    static let descriptors = Metric("alter_stores_descriptors", .gauge, of: "File descriptors of the stores of `Stores`.")
    static let unwritten = Metric(
      "alter_stores_unwritten_changes", .gauge, of: "Changes that failed stores could not write, and that were not resumed.")

    // MARK: Feedbacks

    static let leases = Metric("alter_feedback_leases", .gauge, by: "feedback", of: "Leases that are held.")
    static let leaseSteps = Metric(
      "alter_feedback_lease_steps_total", .counter, by: "feedback", "step",
      of: "Leases `taken`, `released`, and `lost` to another replica or by an outage.")
    static let runningEffects = Metric("alter_feedback_effects", .gauge, by: "feedback", of: "Effects that are running.")
    static let effects = Metric("alter_feedback_effect_duration_seconds", .duration, by: "feedback", of: "Effects that have ended.")

    // MARK: PostgreSQL

    static let connections = Metric(
      "alter_postgres_connections", .gauge, by: "lane", of: "Open connections: `reading`, `writing`, `holding` (locks and turns).")
    static let connectionFailures = Metric(
      "alter_postgres_connection_failures_total", .counter, by: "lane", of: "Connections that could not be opened.")
    static let poolWaits = Metric(
      "alter_postgres_pool_wait_duration_seconds", .duration, by: "lane",
      of: "Waits of requests for a connection of the pool, including those of no time.")

    /// All of them, in the order of the table.
    static let all = [
      stores, openings, commits, pending, flights, flightSizes, conflicts, snapshots, snapshotSizes, snapshotFailures, problems, rowsLag,
      rowsMoves, keys, keyedOpenings, closings, bytes, descriptors, unwritten, leases, leaseSteps, runningEffects, effects, connections,
      connectionFailures, poolWaits,
    ]
  }
#endif
