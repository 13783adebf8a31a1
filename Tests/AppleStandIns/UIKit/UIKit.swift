// This is not UIKit. It declares a part of the public interface of UIKit, from its documentation, for type-checking and tests on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// uncertain: written from memory, except for the initializer of UIAction and addAction(_:for:).

public typealias UIActionHandler = @MainActor (UIAction) -> Void

@MainActor
open class UIAction {
  public struct Identifier: Hashable, Sendable {}
  public let title: String
  package let handler: UIActionHandler
  public package(set) var sender: Any?

  @preconcurrency
  public init(title: String = "", identifier: UIAction.Identifier? = nil, handler: @escaping UIActionHandler) {
    (self.title, self.handler) = (title, handler)
  }
}

@MainActor
open class UIView {
  public init(frame: CGRect) {}
}

@MainActor
open class UIControl: UIView {
  public struct Event: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let valueChanged = Event(rawValue: 1 << 12)
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    public static let editingDidEnd = Event(rawValue: 1 << 18)
  }

  private var actions: [(event: Event, action: UIAction)] = []

  public func addAction(_ action: UIAction, for controlEvents: UIControl.Event) { actions.append((controlEvents, action)) }

  public func sendActions(for controlEvents: UIControl.Event) {
    for (event, action) in actions where !event.isDisjoint(with: controlEvents) {
      action.sender = self
      action.handler(action)
    }
  }
}

open class UIButton: UIControl {
  public enum ButtonType: Sendable { case system }
  public convenience init(type buttonType: UIButton.ButtonType = .system, primaryAction: UIAction?) {
    self.init(frame: .zero)
    if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
  }
}

open class UISwitch: UIControl {
  public var isOn = false
}

open class UISlider: UIControl {
  public var value: Float = 0
}

open class UITextField: UIControl {
  public var text: String? = ""
}
