#if InspectorServer || SyncServer
  internal import Hummingbird
  package import HummingbirdCore

  extension HTTPServerBuilder {
    /// A server whose connections keep to limits of time and size.
    package static func guarded(_ connections: Connections) -> HTTPServerBuilder {
      let limits = connections.limits
      return .http1(
        configuration: HTTP1Channel.Configuration(
          additionalChannelHandlers: [ConnectionGuard(connections)],
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes, maxHeaderFieldCount: 100)))
    }
  }
#endif
