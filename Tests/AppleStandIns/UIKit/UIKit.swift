// This is not UIKit. It declares a part of the public interface of UIKit, from its documentation, for type-checking and tests on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// Compared with the pages of the same names under UIKit. Parameters that have a default and that nothing here uses are left out.

public typealias UIActionHandler = (UIAction) -> Void

@MainActor
open class UIAction {
  public struct Identifier: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  public var title: String
  package let handler: UIActionHandler
  public package(set) var sender: Any?

  @MainActor @preconcurrency
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
  public enum ButtonType: Int, Sendable { case custom = 0, system = 1 }
  @MainActor @preconcurrency
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

open class UICollectionView: UIView {}

open class UICollectionViewCell: UIView {}

@preconcurrency
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
where SectionIdentifierType: Hashable, SectionIdentifierType: Sendable, ItemIdentifierType: Hashable, ItemIdentifierType: Sendable {
  private var sections: [SectionIdentifierType] = []
  public private(set) var itemIdentifiers: [ItemIdentifierType] = []
  public init() {}
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) { sections += identifiers }
  public mutating func appendItems(_ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil) {
    itemIdentifiers += identifiers
  }
}

extension NSDiffableDataSourceSnapshot: Sendable {}

@MainActor @preconcurrency
open class UICollectionViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>
where SectionIdentifierType: Hashable, SectionIdentifierType: Sendable, ItemIdentifierType: Hashable, ItemIdentifierType: Sendable {
  public typealias CellProvider = (UICollectionView, IndexPath, ItemIdentifierType) -> UICollectionViewCell?
  private var shown = NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>()

  @MainActor @preconcurrency
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {}

  @MainActor @preconcurrency
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>, animatingDifferences: Bool = true,
    completion: (() -> Void)? = nil
  ) {
    shown = snapshot
    completion?()
  }

  @MainActor @preconcurrency
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> { shown }
}
