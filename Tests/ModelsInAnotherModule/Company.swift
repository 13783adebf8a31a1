#if Macros
  public import Alter

  // Five levels of public models, as a package offers them to an app.

  /// A company.
  @Alterable public struct Company: Hashable {
    /// The name of the company.
    public let name: String
    /// The teams of the company.
    @Each public let teams: IdentityArray<Team>
  }

  /// A team of a company.
  @Alterable public struct Team: Identifiable, Hashable {
    /// The number of the team.
    public let id: Int
    /// The projects of the team.
    @Each public let projects: IdentityArray<Project>
  }

  /// A project of a team.
  @Alterable public struct Project: Identifiable, Hashable {
    /// The number of the project.
    public let id: Int
    /// The tasks of the project.
    @Each public private(set) var tasks: IdentityArray<Task>
  }

  /// A task of a project.
  @Alterable public struct Task: Identifiable, Hashable {
    /// The number of the task.
    public let id: Int
    /// The steps of the task.
    @Each public let steps: IdentityArray<Step>
  }

  /// A step of a task.
  @Alterable public struct Step: Identifiable, Hashable {
    /// The number of the step.
    public let id: Int
    /// A note about the step.
    @Default("") public let note: String
  }

  extension Company {
    /// The address of the company, as a type in an extension.
    @Alterable public struct Address: Hashable {
      /// The street and the house number.
      public let street: String
      /// The floor; nil if the building has only one.
      @Default(nil) public let floor: Int?
    }
  }
#endif
