@main struct Todo { static func main() {} }
