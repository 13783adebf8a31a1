// Rejected: conform to 'Observable'
import SwiftUI

#if REJECTED
  @MainActor private final class Model { var title = "" }

  private struct Screen: View {
    @Bindable var model: Model
    var body: some View { TextField("Title", text: $model.title) }
  }
#else
  @MainActor @Observable private final class Model { var title = "" }

  private struct Screen: View {
    @Bindable var model: Model
    var body: some View { TextField("Title", text: $model.title) }
  }
#endif
