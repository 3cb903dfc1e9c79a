/// What the app does for 3-D Secure: it wraps a certified native library, and opens browser sessions. The library
/// calls one method at a time.
///
/// A method throws `CustomerCanceled` if the customer closes the window or aborts. Any other error ends the payment
/// with `.authenticationFailed`.
public protocol ThreeDSService: AnyObject, Sendable {
    /// Has the native library collect the data about the device.
    func authenticationRequest(configuration: ThreeDSConfiguration) async throws -> ThreeDSAuthenticationRequest

    /// Has the native library show the challenge. Returns whether the customer was authenticated.
    func handle(challenge: ThreeDSChallenge) async throws -> Bool

    /// Opens a browser session at the address, and waits until it opens the invoice's `return_url`: an
    /// `ASWebAuthenticationSession`, for instance. Its task is canceled when `timeoutSeconds` are over.
    ///
    /// Returns the token of that address, by `ThreeDSRedirect.token(from:)`; empty if it has none.
    func handle(redirect: ThreeDSRedirect) async throws -> String

    /// Frees everything. It is called once for each call of `authorizeInvoice`, however that ended.
    func cleanup() async
}

/// What the native library needs to collect data about the device.
public struct ThreeDSConfiguration: Sendable, Equatable {
    public let directoryServerId: String
    public let directoryServerPublicKey: String
    public let directoryServerRootCAs: [String]
    public let threeDSServerTransactionId: String
    public let messageVersion: String
    /// Such as `visa`; nil if the service does not say.
    public let scheme: String?
}

/// What the native library has collected about the device.
public struct ThreeDSAuthenticationRequest: Sendable, Equatable {
    /// Encrypted by the native library.
    public let deviceData: String
    public let sdkAppId: String
    /// A JSON Web Key, as the native library gives it.
    public let sdkEphemeralPublicKey: String
    public let sdkReferenceNumber: String
    public let sdkTransactionId: String

    public init(
        deviceData: String, sdkAppId: String, sdkEphemeralPublicKey: String, sdkReferenceNumber: String,
        sdkTransactionId: String
    ) {
        self.deviceData = deviceData
        self.sdkAppId = sdkAppId
        self.sdkEphemeralPublicKey = sdkEphemeralPublicKey
        self.sdkReferenceNumber = sdkReferenceNumber
        self.sdkTransactionId = sdkTransactionId
    }
}

/// What the native library needs to show the challenge.
public struct ThreeDSChallenge: Sendable, Equatable {
    public let acsTransactionId: String
    public let acsReferenceNumber: String
    public let acsSignedContent: String
    public let threeDSServerTransactionId: String
}

/// A page of the bank, to be opened in a browser session of its own.
public struct ThreeDSRedirect: Sendable, Equatable {
    public let url: String
    /// After this time the library goes on without an answer; nil if there is no limit.
    public let timeoutSeconds: Int?
    /// Where the session ends: the invoice's `return_url`.
    public let returnURL: String
    /// How the app takes control back, as the request has it.
    public let webAuthenticationCallback: WebAuthenticationCallback?
    public let invoiceId: String

    /// Whether the address that the app was opened with ends this session. Any app may open any address.
    public func isEnded(by opened: String) -> Bool {
        tokenOfReturn(returnURL: returnURL, opened: opened, invoiceId: invoiceId) != nil
    }

    /// The token of the address that the app was opened with; empty if it has none, or one that is no token.
    ///
    /// - Throws: `PaymentError` for an address that does not end this session.
    public func token(from opened: String) throws -> String {
        guard let token = tokenOfReturn(returnURL: returnURL, opened: opened, invoiceId: invoiceId) else {
            throw PaymentError(.authenticationFailed, "The address is not the return_url of the invoice.")
        }
        return token
    }
}

extension ThreeDSConfiguration: CustomStringConvertible, CustomReflectable {
    public var description: String { "ThreeDSConfiguration(messageVersion: \(messageVersion))" }
    public var customMirror: Mirror { Mirror(self, children: ["messageVersion": messageVersion]) }
}

extension ThreeDSAuthenticationRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "ThreeDSAuthenticationRequest" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ThreeDSChallenge: CustomStringConvertible, CustomReflectable {
    public var description: String { "ThreeDSChallenge" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ThreeDSRedirect: CustomStringConvertible, CustomReflectable {
    public var description: String { "ThreeDSRedirect(timeoutSeconds: \(String(describing: timeoutSeconds)))" }
    public var customMirror: Mirror { Mirror(self, children: ["timeoutSeconds": timeoutSeconds as Any]) }
}
