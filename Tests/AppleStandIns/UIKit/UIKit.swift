// This is not UIKit. It declares a part of the public interface of UIKit, from its documentation, for type-checking on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// Compared with the pages of the same names under UIKit. Parameters that have a default and that nothing here uses are left out.

public typealias UIActionHandler = (UIAction) -> Void

@MainActor
open class UIAction {
  public struct Identifier: Hashable, Sendable {}

  public private(set) var sender: Any?

  @MainActor @preconcurrency
  public init(title: String = "", identifier: UIAction.Identifier? = nil, handler: @escaping UIActionHandler) {}
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

  public func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {}
}

open class UIButton: UIControl {
  public enum ButtonType: Int, Sendable { case custom = 0, system = 1 }
  @MainActor @preconcurrency
  public convenience init(type buttonType: UIButton.ButtonType = .system, primaryAction: UIAction?) { self.init(frame: .zero) }
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

@preconcurrency
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>: Sendable
where SectionIdentifierType: Hashable, SectionIdentifierType: Sendable, ItemIdentifierType: Hashable, ItemIdentifierType: Sendable {
  public init() {}
}

@MainActor @preconcurrency
open class UICollectionViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>
where SectionIdentifierType: Hashable, SectionIdentifierType: Sendable, ItemIdentifierType: Hashable, ItemIdentifierType: Sendable {
  @MainActor @preconcurrency
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animatingDifferences: Bool = true,
    completion: (() -> Void)? = nil
  ) {}
}
