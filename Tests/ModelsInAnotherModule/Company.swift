#if Macros
  public import Alter

  // Five levels of public models, as a package would offer them to an app.

  /// A company.
  @Alterable public struct Company: Hashable {
    /// What it is called.
    public let name: String
    /// Its teams.
    @Each public let teams: IdentityArray<Team>
  }

  /// A team of a company.
  @Alterable public struct Team: Identifiable, Hashable {
    /// Its number.
    public let id: Int
    /// Its projects.
    @Each public let projects: IdentityArray<Project>
  }

  /// A project of a team.
  @Alterable public struct Project: Identifiable, Hashable {
    /// Its number.
    public let id: Int
    /// Its tasks.
    @Each public private(set) var tasks: IdentityArray<Task>
  }

  /// A task of a project.
  @Alterable public struct Task: Identifiable, Hashable {
    /// Its number.
    public let id: Int
    /// Its steps.
    @Each public let steps: IdentityArray<Step>
  }

  /// A step of a task.
  @Alterable public struct Step: Identifiable, Hashable {
    /// Its number.
    public let id: Int
    /// What is noted about it.
    @Default("") public let note: String
  }

  extension Company {
    /// Where it is, as a type of an extension.
    @Alterable public struct Address: Hashable {
      /// The street, with its number.
      public let street: String
      /// The floor, if it has several.
      @Default(nil) public private(set) var floor: Int?
    }
  }
#endif
