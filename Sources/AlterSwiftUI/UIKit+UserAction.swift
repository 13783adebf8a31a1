#if canImport(UIKit)
  public import AlterStore
  public import UIKit

  // Compiled on Linux only against a stand-in for UIKit: script/apple.

  // Controls of UIKit for user actions. The payload of an action is the value of its control.

  extension UIButton {
    /// Creates a button that performs an action.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - action: The action.
    public convenience init(_ title: String, action: UserAction<Void>) {
      self.init(primaryAction: UIAction(title: title) { _ in action() })
    }
  }

  extension UISwitch {
    /// Performs an action with the new value, whenever the user turns the switch.
    public func perform(_ action: UserAction<Bool>) {
      addAction(UIAction { if let control = $0.sender as? UISwitch { action(control.isOn) } }, for: .valueChanged)
    }
  }

  extension UISlider {
    /// Performs an action with the new value, whenever the user moves the slider.
    public func perform(_ action: UserAction<Float>) {
      addAction(UIAction { if let control = $0.sender as? UISlider { action(control.value) } }, for: .valueChanged)
    }
  }

  extension UITextField {
    /// Performs an action with the text, whenever the editing ends.
    public func perform(_ action: UserAction<String>) {
      addAction(UIAction { if let control = $0.sender as? UITextField { action(control.text ?? "") } }, for: .editingDidEnd)
    }
  }
#endif
