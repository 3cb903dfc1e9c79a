import Foundation

/// Why an authorization did not succeed. `kind` says what the app does about it.
///
/// Message and fields hold no card data, no source and no secret.
public struct PaymentError: Error, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Correct the app or the merchant's server.
        case invalidRequest = "invalid-request"
        /// Create the card anew and authorize with that.
        case sourceRefused = "source-refused"
        /// Ask for another card; it may pay the same invoice.
        case declined = "declined"
        /// Let the customer try again, with this card or another one.
        case authenticationFailed = "authentication-failed"
        /// Go back to where the payment began; the same card may be used.
        case canceled = "canceled"
        /// The invoice is being paid by another request, here or on another device: wait for that one.
        case inProgress = "in-progress"
        /// The outcome is not known yet: show that the payment is processed, ask `find` later, and take no other
        /// payment.
        case pending = "pending"
        /// The service did nothing: offer another try after `retryAfterSeconds`.
        case tryLater = "try-later"
        /// Nobody here knows whether the request arrived: offer to try the same invoice again, which charges nothing
        /// twice.
        case connectionLost = "connection-lost"
    }

    public let kind: Kind
    public let message: String
    /// The code of the service, such as `card.no-money`; nil if the library itself has ended the payment.
    public let errorType: String?
    /// Names the answer to support staff.
    public let requestId: String?
    public let invalidFields: [InvalidField]
    /// Of `.tryLater`, if the service says so.
    public let retryAfterSeconds: Int?
    /// Of `.pending`: as it was read last.
    public let transaction: Transaction?
    /// What the app's own service threw.
    public let underlying: (any Error)?

    init(
        _ kind: Kind, _ message: String, errorType: String? = nil, requestId: String? = nil,
        invalidFields: [InvalidField] = [], retryAfterSeconds: Int? = nil, transaction: Transaction? = nil,
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.message = message
        self.errorType = errorType
        self.requestId = requestId
        self.invalidFields = invalidFields
        self.retryAfterSeconds = retryAfterSeconds
        self.transaction = transaction
        self.underlying = underlying
    }
}

extension PaymentError: LocalizedError {
    public var errorDescription: String? { message }
}

/// One field of a request that the service does not accept.
public struct InvalidField: Sendable, Equatable, Decodable {
    public let name: String
    public let message: String
}

/// The app's service throws it if the customer closes the window or aborts.
public struct CustomerCanceled: Error, Sendable {
    public init() {}
}

/// The error for an answer that says no.
func paymentError(status: Int, answer: Answer, retryAfterSeconds: Int?) -> PaymentError {
    let message = answer.message ?? "The service answered with status \(status)."
    let (errorType, requestId) = (answer.errorType, answer.requestId)
    if status == paymentFailed || answer.outcome == "failed" {
        return paymentError(errorType, message, requestId: requestId)
    }
    if status == tooLate || status == 429 || status >= 500 {
        return PaymentError(
            .tryLater, message, errorType: errorType, requestId: requestId, retryAfterSeconds: retryAfterSeconds)
    }
    if let errorType, matches(errorType, sourceError) {
        return PaymentError(.sourceRefused, message, errorType: errorType, requestId: requestId)
    }
    return PaymentError(
        .invalidRequest, message, errorType: errorType, requestId: requestId, invalidFields: answer.invalidFields ?? [])
}

/// The error for a payment that has failed with this code. A code that is not known is a decline.
func paymentError(_ errorType: String?, _ message: String, requestId: String? = nil) -> PaymentError {
    PaymentError(kind(of: errorType), message, errorType: errorType, requestId: requestId)
}

private func kind(of errorType: String?) -> PaymentError.Kind {
    guard let errorType else { return .declined }
    if cancellations.contains(errorType) { return .canceled }
    if authenticationFailures.contains(errorType) { return .authenticationFailed }
    return errorType == "card.pending-3ds" ? .inProgress : .declined
}

/// The error for an invoice that no card can pay any more.
func invoiceIsOver(_ status: String) -> PaymentError {
    PaymentError(.invalidRequest, "The invoice takes no payment any more: it is \(status).")
}

/// The request did not arrive in time; the service did nothing.
private let tooLate = 408

/// The status of every payment that failed.
private let paymentFailed = 410

/// What is wrong is the source, and not the request.
private let sourceError = "^(request\\.source\\.|card\\.|resource\\.(card|token|customer)\\.)"

private let cancellations: Set = ["customer.canceled", "customer.cancelled", "card.canceled-by-client"]

private let authenticationFailures: Set = [
    "card.couldnt-3ds",
    "card.eci-conflict",
    "card.exemption-declined",
    "card.expired-3ds",
    "card.failed-3ds",
    "card.failed-3ds-technical",
    "card.invalid-eci",
    "card.invalid-pares",
    "card.invalid-ucaf",
    "card.invalid-vpas",
    "card.missing-3ds",
    "card.needs-authentication",
]
