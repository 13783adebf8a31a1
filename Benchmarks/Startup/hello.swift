// The smallest program in Swift: the unit of script/benchmark --startup.
print("hello")
