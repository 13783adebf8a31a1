// This is not SwiftUI. It declares a part of the public interface of Foundation on Apple's platforms, from its documentation, for
// type-checking on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Isolated to the main actor since the SDK 27.1; before, the class is not isolated. The compiler flag SDK_18 declares it as before.
#if !SDK_18
  @MainActor
#endif
open class UndoManager {
  public var groupsByEvent = true
  public var groupingLevel: Int { declared() }
  nonisolated public init() {}
  public func beginUndoGrouping() {}
  public func endUndoGrouping() {}
  public func undo() {}
  public func removeAllActions(withTarget target: Any) {}

  #if SDK_18
    // The page of the SDK 18.4 shows `@preconcurrency`, which leaves `@Sendable` out, as it does for `Binding`.
    @preconcurrency
    public func registerUndo<TargetType>(withTarget target: TargetType, handler: @escaping @Sendable (TargetType) -> Void)
    where TargetType: AnyObject {}
  #else
    @preconcurrency
    public func registerUndo<TargetType>(withTarget target: TargetType, handler: @escaping @MainActor (TargetType) -> Void)
    where TargetType: AnyObject {}
  #endif
}
