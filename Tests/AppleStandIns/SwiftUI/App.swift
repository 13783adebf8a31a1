// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking and tests on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  @MainActor public static func main() { preconditionFailure("This module has no user interface to run an app in.") }
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
  // uncertain: SwiftUI declares one function for each count of scenes.
  public static func buildBlock<each Content>(_ content: repeat each Content) -> some Scene where repeat each Content: Scene {
    TupleScene()
  }
}

nonisolated struct TupleScene: Scene {
  var body: Never { primitiveBody() }
}

nonisolated public struct WindowGroup<Content>: Scene where Content: View {
  package let content: Content
  // Compared with WindowGroup/init(makeContent:) and /init(_:makeContent:). Those with 'content:' are deprecated; both are called alike.
  nonisolated public init(@ViewBuilder makeContent: @escaping () -> Content) { content = makeContent() }
  nonisolated public init(_ titleKey: LocalizedStringKey, @ViewBuilder makeContent: @escaping () -> Content) { content = makeContent() }
  public var body: Never { primitiveBody() }
}
