// This is not SwiftUI. It declares a part of the public interface of SwiftUI, from its documentation, for type-checking and tests on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import Foundation
@_exported public import Observation

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public typealias Body = Never
  public var body: Never { fatalError("'Never' has no value") }
}

/// The builder of Xcode 26 and earlier. Xcode 27 checks the statements of a builder less strictly, so code that compiles with this one
/// compiles with both, except for the cases in Apple's technote TN3211.
@resultBuilder
public struct ViewBuilder {
  public static func buildExpression<Content>(_ content: Content) -> Content where Content: View { content }

  public static func buildBlock() -> EmptyView { EmptyView() }

  public static func buildBlock<Content>(_ content: Content) -> Content where Content: View { content }

  public static func buildBlock<each Content>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  where repeat each Content: View {
    var views: [any View] = []
    for view in repeat each content { views.append(view) }
    return TupleView((repeat each content), views: views)
  }

  public static func buildIf<Content>(_ content: Content?) -> Content? where Content: View { content }

  public static func buildEither<TrueContent, FalseContent>(
    first: TrueContent
  ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
    _ConditionalContent(.first(first))
  }

  public static func buildEither<TrueContent, FalseContent>(
    second: FalseContent
  ) -> _ConditionalContent<TrueContent, FalseContent> where TrueContent: View, FalseContent: View {
    _ConditionalContent(.second(second))
  }

  public static func buildLimitedAvailability<Content>(_ content: Content) -> AnyView where Content: View { AnyView(content) }
}

/// The name of the builder since Xcode 27.
public typealias ContentBuilder = ViewBuilder

nonisolated public struct EmptyView: View, Sendable, Primitive {
  public init() {}
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.group) }
}

nonisolated public struct TupleView<T>: View, Primitive {
  public var value: T
  private let views: [any View]

  public init(_ value: T) {
    self.value = value
    views = Mirror(reflecting: value).children.compactMap { $0.value as? any View }
  }

  fileprivate init(_ value: T, views: [any View]) { (self.value, self.views) = (value, views) }

  public var body: Never { primitiveBody() }
  package var element: Element { Element(.group, views.enumerated().map { Child($0.offset, $0.element) }) }
}

// uncertain: public in SwiftUI under this name; never written by users.
nonisolated public struct _ConditionalContent<TrueContent, FalseContent>: View, Primitive where TrueContent: View, FalseContent: View {
  package enum Storage { case first(TrueContent), second(FalseContent) }
  private let storage: Storage

  package init(_ storage: Storage) { self.storage = storage }

  public var body: Never { primitiveBody() }

  package var element: Element {
    switch storage {
    case .first(let view): Element(.group, [Child("first", view)])
    case .second(let view): Element(.group, [Child("second", view)])
    }
  }
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
  public var body: Never { primitiveBody() }
}

extension Optional: Primitive where Wrapped: View {
  package nonisolated var element: Element {
    switch self {
    case .some(let view): Element(.group, [Child("some", view)])
    case .none: Element(.group)
    }
  }
}

nonisolated public struct AnyView: View, Primitive {
  private let view: any View

  public init<V>(_ view: V) where V: View { self.view = view }
  // Compared with AnyView/init(erasing:).
  public init<V>(erasing view: V) where V: View { self.view = view }

  public var body: Never { primitiveBody() }
  package var element: Element { Element(.group, [Child(ObjectIdentifier(type(of: view)), view)]) }
}

@MainActor @preconcurrency
public protocol ViewModifier {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
  typealias Content = _ViewModifier_Content<Self>
}

// uncertain: the name is never written by users.
nonisolated public struct _ViewModifier_Content<Modifier>: View, Primitive where Modifier: ViewModifier {
  package let view: any View
  public var body: Never { primitiveBody() }
  package var element: Element { Element(.group, [Child(0, view)]) }
}

public struct ModifiedContent<Content, Modifier> {
  public var content: Content
  public var modifier: Modifier
  nonisolated public init(content: Content, modifier: Modifier) { (self.content, self.modifier) = (content, modifier) }
}

// uncertain: SwiftUI declares 'Body == Never'. Here the modifier is a view of its own, so that its state has an identity.
extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
  public var body: some View { modifier.body(content: _ViewModifier_Content(view: content)) }
}

extension View {
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { ModifiedContent(content: self, modifier: modifier) }
}
