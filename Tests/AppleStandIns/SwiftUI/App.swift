// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

@MainActor @preconcurrency
public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene {}

@resultBuilder
public struct SceneBuilder {
  public static func buildExpression<Content>(_ content: Content) -> Content where Content: Scene { content }
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: Scene { content }
}

nonisolated public struct WindowGroup<Content>: Scene where Content: View {
  // Compared with WindowGroup/init(makeContent:). The one with 'content:' is deprecated; both are called alike.
  nonisolated public init(@ViewBuilder makeContent: @escaping () -> Content) {}
  public var body: Never { absent() }
}
