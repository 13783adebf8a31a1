#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  public import FastingCore
  public import Foundation
  public import SwiftUI

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The timer of the fifth article: loaded in `.task`, shown for the date of a timeline.
  ///
  /// ```swift
  /// @main struct FastingApp: App {
  ///   @State private var model = TimerModel(in: .app("Fasting"))
  ///
  ///   var body: some Scene { WindowGroup { TimerView(model: model) } }
  /// }
  /// ```
  public struct TimerView: View {
    private let model: TimerModel
    private let start: Date

    /// Creates the view.
    ///
    /// - Parameters:
    ///   - model: The object that opens the store. It lives longer than the view.
    ///   - start: The first date of the timeline, which has one date per second.
    public init(model: TimerModel, from start: Date = Date()) { (self.model, self.start) = (model, start) }

    /// The timer, or the phase of its opening.
    public var body: some View {
      VStack {
        switch model.phase {
        case .loading: ProgressView("Loading")
        case .failed(let error):
          Text(error.description)
          Button("Try Again") { Task { await model.load() } }
        case .open(let store): OpenTimerView(store: store, start: start)
        }
      }
      .task { await model.load() }
    }
  }

  /// The timer of an open store.
  struct OpenTimerView: View {
    private let start: Date
    @ObservedValue<FastingState, FastingState> private var state: FastingState

    init(store: Store<FastingState>, start: Date) {
      self.start = start
      _state = ObservedValue(store) { $0 }
    }

    var body: some View {
      // Read here, and not in the closure of the timeline, so that this body depends on it.
      let state = state
      // The state has no clock: the timeline supplies the date.
      TimelineView(.periodic(from: start, by: 1)) { context in
        let screen = TimerScreen(state, at: context.date)
        VStack {
          Text(screen.status)
          if let elapsed = screen.elapsed { Text(elapsed).font(.largeTitle) }
          if let fraction = screen.fraction { ProgressView(value: fraction) }
          if let remaining = screen.remaining { Text(remaining) }
          HStack {
            ForEach(screen.buttons) { button in Button(button.id) { $state.send(button.change) } }
          }
          Stepper(
            screen.goal, onIncrement: screen.longer.map { change in { $state.send(change) } },
            onDecrement: screen.shorter.map { change in { $state.send(change) } })
        }
      }
      .refusalAlert("Not possible", of: $state)
    }
  }
#endif
