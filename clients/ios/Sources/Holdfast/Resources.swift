/// A payment that was authorized or captured. Deliver only what the merchant's server has checked, too.
public struct AuthorizedInvoice: Sendable, Equatable {
    public let invoiceId: String
    public let transaction: Transaction
    /// The stored source that was charged or that the card was saved as, `tok_…`. Nil if there is none, and also if the
    /// answer was lost and only the invoice told of the success.
    public let customerTokenId: String?
}

/// The payment of an invoice, as far as an app sees it. Amounts are decimal texts.
public struct Transaction: Sendable, Equatable, Decodable {
    public let id: String
    /// `authorized` or `completed` after a success.
    public let status: String
    public let amount: String?
    public let authorizedAmount: String?
    public let capturedAmount: String?
    public let currency: String?
    /// Of a failed payment, such as `card.declined`.
    public let errorCode: String?

    enum CodingKeys: String, CodingKey {
        case id, status, amount, currency
        case authorizedAmount = "authorized_amount"
        case capturedAmount = "captured_amount"
        case errorCode = "error_code"
    }
}

/// An invoice, as far as an app sees it.
public struct Invoice: Sendable, Equatable, Decodable {
    public let id: String
    public let name: String?
    public let amount: String?
    public let currency: String?
    /// `pending`, `processing`, `authorized`, `completed`, `failed`, `canceled`, `expired` or `refunded`.
    public let status: String
    public let returnURL: String?
    let device: Device?
    /// Nil before the first attempt to pay.
    public let transaction: Transaction?

    /// `web`, `ios` or `android`.
    public var channel: String? { device?.channel }

    struct Device: Sendable, Equatable, Decodable {
        let channel: String?
    }

    enum CodingKeys: String, CodingKey {
        case id, name, amount, currency, status, device, transaction
        case returnURL = "return_url"
    }
}

/// The body of any answer of the service. Fields that are not known are passed over.
struct Answer: Decodable {
    let success: Bool
    let outcome: String?
    let errorType: String?
    let message: String?
    let requestId: String?
    let invalidFields: [InvalidField]?
    let customerTokenId: String?
    let customerAction: Action?
    let transaction: Transaction?
    let invoice: Invoice?

    struct Action: Decodable {
        let type: String
        let value: String
    }

    enum CodingKeys: String, CodingKey {
        case success, outcome, message, transaction, invoice
        case errorType = "error_type"
        case requestId = "request_id"
        case invalidFields = "invalid_fields"
        case customerTokenId = "customer_token_id"
        case customerAction = "customer_action"
    }
}
