// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "Holdfast",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "Holdfast", targets: ["Holdfast"])],
    targets: [
        .target(name: "Holdfast"),
        // The tests read ../wire-fixtures.json, beside this folder.
        .testTarget(name: "HoldfastTests", dependencies: ["Holdfast"]),
    ]
)
