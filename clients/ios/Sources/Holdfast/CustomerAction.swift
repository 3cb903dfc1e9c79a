import Foundation

/// Every continuation of a payment begins so; base64 of JSON follows.
let sourcePrefix = "gway_req_"

/// A step that the service asks of the customer, as far as the library knows it.
enum CustomerAction: Equatable {
    case nativeFingerprint(ThreeDSConfiguration)
    case nativeChallenge(ThreeDSChallenge)
    /// A page in a browser session; a fingerprint if the customer has nothing to do there.
    case page(url: String, isFingerprint: Bool)
    /// Of a later version of the interface, or broken.
    case unreadable(problem: String, canceledSource: String)

    init(type: String, value: String) {
        switch type {
        case "fingerprint-mobile":
            self = decoded(WireConfiguration.self, from: value).map { .nativeFingerprint($0.configuration) } ?? .broken
        case "challenge-mobile":
            self = decoded(WireChallenge.self, from: value).map { .nativeChallenge($0.challenge) } ?? .broken
        case "fingerprint", "redirect", "url":
            self = matches(value, "^[Hh][Tt][Tt][Pp][Ss]?://")
                ? .page(url: value, isFingerprint: type == "fingerprint")
                : .unreadable(
                    problem: "The address of the page is not a web address.",
                    canceledSource: sourceCanceling(page: value))
        default:
            self = .unreadable(
                problem: "This version of the library does not know the action \(type).",
                canceledSource: sourceCanceling(page: value))
        }
    }

    private static let broken = CustomerAction.unreadable(
        problem: "The data of the action cannot be read.", canceledSource: canceledNativeSource)

    /// The source that tells the service that the customer has canceled.
    var canceledSource: String {
        switch self {
        case .nativeFingerprint, .nativeChallenge: return canceledNativeSource
        case .page(let url, _): return sourceCanceling(page: url)
        case .unreadable(_, let source): return source
        }
    }
}

/// The source that hands the data about the device to the service; nil if the public key is not a complete one.
func deviceDataSource(_ request: ThreeDSAuthenticationRequest) -> String? {
    // These four members only: the library may add what it likes, be it the private part.
    guard let key = try? JSONDecoder().decode(WireKey.self, from: Data(request.sdkEphemeralPublicKey.utf8)) else {
        return nil
    }
    let body = JSONText.object([
        ("deviceChannel", .text("app")),
        ("sdkAppID", .text(request.sdkAppId)),
        (
            "sdkEphemPubKey",
            .object([("crv", .text(key.crv)), ("kty", .text(key.kty)), ("x", .text(key.x)), ("y", .text(key.y))])
        ),
        ("sdkReferenceNumber", .text(request.sdkReferenceNumber)),
        ("sdkTransID", .text(request.sdkTransactionId)),
        ("sdkEncData", .text(request.deviceData)),
    ])
    return source([("body", .text(body.written))])
}

/// The source that tells the service how the challenge ended.
func challengeSource(isAuthenticated: Bool) -> String {
    let body = JSONText.object([("transStatus", .text(isAuthenticated ? "Y" : "N"))])
    return source([("body", .text(body.written))])
}

/// The source that tells the service that the fingerprint page did not end in time. The spaces are part of the form.
func fingerprintTimedOutSource(url: String) -> String {
    source([("url", .text(url)), ("body", .text("{ \"threeDS2FingerprintTimeout\": true }"))])
}

private let canceledNativeSource = source([("body", .text("{\"canceled\":true}"))])

private func sourceCanceling(page url: String) -> String {
    source([("url", .text(url)), ("body", .text("canceled=true"))])
}

private func source(_ fields: [(name: String, value: JSONText?)]) -> String {
    sourcePrefix + Data(JSONText.object(fields).written.utf8).base64EncodedString()
}

/// The bytes of base64 or base64url, with or without padding; nil if it is neither.
func decodeBase64(_ text: String) -> Data? {
    var standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    while standard.hasSuffix("=") { standard.removeLast() }
    standard += String(repeating: "=", count: (4 - standard.count % 4) % 4)
    return Data(base64Encoded: standard)
}

private func decoded<Wire: Decodable>(_ type: Wire.Type, from value: String) -> Wire? {
    decodeBase64(value).flatMap { try? JSONDecoder().decode(type, from: $0) }
}

private struct WireKey: Decodable {
    let crv: String
    let kty: String
    let x: String
    let y: String
}

private struct WireConfiguration: Decodable {
    let directoryServerID: String
    let directoryServerPublicKey: String
    let directoryServerRootCAs: [String]
    let threeDSServerTransID: String
    let messageVersion: String
    let scheme: String?

    var configuration: ThreeDSConfiguration {
        ThreeDSConfiguration(
            directoryServerId: directoryServerID, directoryServerPublicKey: directoryServerPublicKey,
            directoryServerRootCAs: directoryServerRootCAs, threeDSServerTransactionId: threeDSServerTransID,
            messageVersion: messageVersion, scheme: scheme)
    }
}

private struct WireChallenge: Decodable {
    let acsTransID: String
    let acsReferenceNumber: String
    let acsSignedContent: String
    let threeDSServerTransID: String

    var challenge: ThreeDSChallenge {
        ThreeDSChallenge(
            acsTransactionId: acsTransID, acsReferenceNumber: acsReferenceNumber, acsSignedContent: acsSignedContent,
            threeDSServerTransactionId: threeDSServerTransID)
    }
}
