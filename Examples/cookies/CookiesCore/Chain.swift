#if Macros
  public import Alter

  /// Where cookies are, from the chain of shops down to the single box: five levels, each a model of its own.
  @Alterable public struct Chain: Hashable {
    /// The regions that it has shops in.
    @Each public let regions: IdentityArray<Region>
  }

  /// Some of the shops.
  @Alterable public struct Region: Identifiable, Hashable {
    /// Its number, among its neighbours.
    public let id: Int
    /// The shops there.
    @Each public let shops: IdentityArray<Shop>
  }

  /// A shop.
  @Alterable public struct Shop: Identifiable, Hashable {
    /// Its number, among its neighbours.
    public let id: Int
    /// What stands in it.
    @Each public let shelves: IdentityArray<Shelf>
  }

  /// A shelf.
  @Alterable public struct Shelf: Identifiable, Hashable {
    /// Its number, among its neighbours.
    public let id: Int
    /// What stands on it.
    @Each public let boxes: IdentityArray<Box>
  }

  /// A box.
  @Alterable public struct Box: Identifiable, Hashable {
    /// Its number, among its neighbours.
    public let id: Int
    /// How many are left.
    public let cookies: Int
  }

  extension Chain {
    /// A chain with so many of everything, numbered from 1: the fourth power of it in boxes, twelve cookies in each.
    public static func of(_ count: Int) -> Chain {
      func each<Element>(_ make: (Int) -> Element) -> IdentityArray<Element> { IdentityArray((1...count).map(make)) }
      return Chain(
        regions: each { region in
          Region(
            id: region,
            shops: each { shop in
              Shop(id: shop, shelves: each { shelf in Shelf(id: shelf, boxes: each { box in Box(id: box, cookies: 12) }) })
            })
        })
    }
  }
#endif
