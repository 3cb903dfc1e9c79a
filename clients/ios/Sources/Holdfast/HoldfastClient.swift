import Foundation

/// The payment service as an app uses it. One client lives as long as the app: it knows which payments are under way.
///
/// An app holds no secret key. The merchant's server creates the invoice and hands its id to the app.
public final class HoldfastClient: Sendable {
    public let invoices: Invoices

    /// - Parameters:
    ///   - projectId: `proj_…`, or `test-proj_…` in the sandbox.
    /// - baseURL: Where the service is, such as `https://api.example.com`. Plain `http` is accepted for this machine
    /// only.
    /// - Throws: `PaymentError` for a secret key in place of the project id, and for an address without TLS.
    public init(projectId: String, baseURL: String, timing: Timing = Timing()) throws {
        guard isWhole(projectId, "(test-)?proj_[A-Za-z0-9_-]+") else {
            throw PaymentError(
                .invalidRequest, "projectId has to be proj_… or test-proj_…. A secret key must never be in an app.")
        }
        guard isWhole(baseURL, "(https://[^/?#\\s@]+|http://\(localHost)(:[0-9]+)?)(/[^?#\\s]*)?") else {
            throw PaymentError(.invalidRequest, "baseURL has to be a web address that begins with https.")
        }
        let api = API(baseURL: withoutSlashes(baseURL), projectId: projectId, timing: timing)
        invoices = Invoices(api: api, timing: timing)
    }
}

/// How long the library waits, in seconds. The defaults suit a customer who looks at the screen.
public struct Timing: Sendable {
    /// How often one request is sent before the library asks what became of it.
    public var attempts = 4
    /// The longest pause before the second attempt; it doubles with each further one.
    public var firstPause: TimeInterval = 0.5
    public var longestPause: TimeInterval = 8
    /// A `Retry-After` beyond this ends the call with `.tryLater`.
    public var longestRetryAfter: TimeInterval = 30
    /// Of one request. The service answers within 30 s.
    public var requestTimeout: TimeInterval = 40
    /// How long an open outcome is asked for before `.pending`.
    public var pollFor: TimeInterval = 60
    /// Of a fingerprint in a browser session. Source: EMVCo's specification of 3-D Secure 2.
    public var fingerprintTimeout: TimeInterval = 10

    public init() {}
}

private let localHost = "(localhost|127\\.0\\.0\\.1|\\[::1\\])"

/// Whether the regular expression is found in the text.
func matches(_ text: String, _ pattern: String) -> Bool {
    text.range(of: pattern, options: .regularExpression) != nil
}

/// Whether the whole text is as the regular expression says.
func isWhole(_ text: String, _ pattern: String) -> Bool {
    text.range(of: "\\A(?:\(pattern))\\z", options: .regularExpression) != nil
}

private func withoutSlashes(_ address: String) -> String {
    var address = address
    while address.hasSuffix("/") { address.removeLast() }
    return address
}
