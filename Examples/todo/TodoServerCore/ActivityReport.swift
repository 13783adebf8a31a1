/// The activity of the users' devices, as `todo-server status` shows it.
public struct ActivityReport: Codable, Hashable, Sendable {
  /// The activity of one user.
  public struct User: Codable, Hashable, Sendable {
    /// The number of devices that are connected now.
    public var connected = 0
    /// The time of the last request, in microseconds since 1970 UTC.
    public var seen: Int64 = 0
    /// The number of undecided changes that a device has reported last.
    public var waiting = 0
    /// The time of the oldest of them, by the device's clock, in microseconds since 1970 UTC; nil for none.
    public var oldest: Int64?

    /// No activity.
    public init() {}
  }

  /// The id of the server's process.
  public let process: Int32
  /// The users.
  public private(set) var users: [String: User] = [:]

  /// No activity of a process.
  public init(process: Int32) { self.process = process }

  /// Notes a request, and the undecided changes that it has reported.
  public mutating func saw(_ name: String, at time: Int64, _ outbox: (count: Int, oldest: Int64?)?) {
    users[name, default: User()].seen = time
    guard let outbox else { return }
    users[name]?.waiting = outbox.count
    users[name]?.oldest = outbox.count == 0 ? nil : outbox.oldest
  }

  /// Notes the beginning (1) or the end (-1) of a connection.
  public mutating func stream(of name: String, _ change: Int) { users[name, default: User()].connected += change }
}
