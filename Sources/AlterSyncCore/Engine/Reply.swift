/// The result of absorbing an answer, as an event for the engine.
package enum Reply: Sendable, Hashable {
  /// Verdicts and entries were absorbed.
  case page(isMore: Bool, hold: SyncHold?)
  /// A part of a page was absorbed, and the rest did not arrive.
  case cut
  /// A new floor was adopted.
  case adopted
  /// The mirror's head lies below the server's floor.
  case gone
  /// The server lacks the mirror's head. It is a restart if the generation has changed.
  case diverged(isRestart: Bool)
  /// Another process of the device has moved the file on since the request was made. Nothing was absorbed.
  case superseded
  /// The device's file could not be read for the request, or could not take the answer.
  case fileFailed
  /// The entries of a page do not follow the mirror.
  case brokenPage
  case unauthorised
  case forbidden
  case badEnvelope
  case busy(Int)
  case notUnderstood
}
