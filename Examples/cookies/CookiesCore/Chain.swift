#if Macros
  public import Alter

  /// A chain of shops, down to the single box of cookies: five levels, each a model with its own `Change` type.
  @Alterable public struct Chain: Hashable {
    /// The regions in which the chain has shops.
    @Each public let regions: IdentityArray<Region>
  }

  /// A region of the chain.
  @Alterable public struct Region: Identifiable, Hashable {
    /// The region's number, unique within the chain.
    public let id: Int
    /// The shops in the region.
    @Each public let shops: IdentityArray<Shop>
  }

  /// A shop.
  @Alterable public struct Shop: Identifiable, Hashable {
    /// The shop's number, unique within its region.
    public let id: Int
    /// The shelves in the shop.
    @Each public let shelves: IdentityArray<Shelf>
  }

  /// A shelf.
  @Alterable public struct Shelf: Identifiable, Hashable {
    /// The shelf's number, unique within its shop.
    public let id: Int
    /// The boxes on the shelf.
    @Each public let boxes: IdentityArray<Box>
  }

  /// A box of cookies.
  @Alterable public struct Box: Identifiable, Hashable {
    /// The box's number, unique within its shelf.
    public let id: Int
    /// The number of cookies left in the box.
    public let cookies: Int
  }

  extension Chain {
    /// A chain with `count` regions, `count` shops in each region, and so on. All are numbered from 1. It has `count` to the power of four
    /// boxes, with twelve cookies in each.
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
