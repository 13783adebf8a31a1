extension WireCase {
  public init(of type: Any.Type, changing model: Any.Type, from decoder: any Decoder) throws { try self.init(of: type, from: decoder) }
}
