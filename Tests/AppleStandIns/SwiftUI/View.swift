// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Foundation
@_exported public import Observation

// This module is only compiled against, never run: the following functions are the code of its declarations.
func declared<Value>() -> Value { absent() }
func absent() -> Never { preconditionFailure("The stand-ins for Apple's frameworks have no code.") }

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public typealias Body = Never
  public var body: Never { absent() }
}

/// A view without a body of its own. SwiftUI has no such protocol; users never write it.
public protocol _Primitive: View where Body == Never {}

extension _Primitive {
  public var body: Never { absent() }
}

/// The builder of Xcode 26 and earlier. Xcode 27 checks the statements of a builder less strictly, so code that compiles with this one
/// compiles with both, except for the cases in Apple's technote TN3211.
@resultBuilder
public struct ViewBuilder {
  public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }
  public static func buildBlock<each Content>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  where repeat each Content: View { declared() }
  public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }
  public static func buildEither<TrueContent, FalseContent>(
    first: TrueContent
  ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View { declared() }
  public static func buildEither<TrueContent, FalseContent>(
    second: FalseContent
  ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View { declared() }
}

nonisolated public struct EmptyView: _Primitive, Sendable {
  public init() {}
}

nonisolated public struct TupleView<T>: _Primitive {}

// uncertain: public in SwiftUI under this name; never written by users.
nonisolated public struct _ConditionalContent<TrueContent, FalseContent>: _Primitive where TrueContent: View, FalseContent: View {}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
  public var body: Never { absent() }
}
