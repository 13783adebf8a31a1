// Rejected: main actor-isolated property 'isOn'
import UIKit

#if REJECTED
  private nonisolated func show(_ isOn: Bool, in toggle: UISwitch) { toggle.isOn = isOn }
#else
  @MainActor private func show(_ isOn: Bool, in toggle: UISwitch) { toggle.isOn = isOn }
#endif
