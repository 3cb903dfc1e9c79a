/// How the app takes control back from the browser.
public enum WebAuthenticationCallback: Sendable, Equatable {
    /// The app's own scheme, such as `com.example.shop`.
    case customScheme(String)
    /// Host and path of the HTTPS addresses that open the app (universal links).
    case https(host: String, path: String)
}

/// What is to be authorized, with the options of the interface. What is nil is left to the invoice and the project.
///
/// Two requests that are equal are the same payment: the second joins the first while that is under way.
public struct AuthorizationRequest: Sendable, Equatable {
    /// `iv_…`.
    public let invoiceId: String
    /// `card_…`, `tok_…` or `cust_…`: the id of a payment source, never a card number.
    public let source: String
    /// Has to match the `return_url` of the invoice. Needed if that is an HTTPS address.
    public var webAuthenticationCallback: WebAuthenticationCallback?
    /// Proves that the merchant gave the invoice to this app: needed for stored sources and `saveSource`.
    public var clientSecret: String?
    /// False captures the money at once; otherwise the merchant's server captures.
    public var authorizeOnly: Bool?
    /// ISO 8601 with an offset or `Z`: when the service captures by itself.
    public var autoCaptureAt: String?
    /// A decimal text in the digits of the currency. Only where the project lets apps choose it.
    public var captureAmount: String?
    /// Of a card with two schemes, such as `carte bancaire`.
    public var preferredScheme: String?
    public var incremental: Bool?
    /// Lines of the invoice to capture. Only where the project lets apps choose them.
    public var invoiceDetailIds: [String]?
    /// Only where the project lets apps override.
    public var overrideMacBlocking: Bool?
    /// Only where the project lets apps override.
    public var initialSchemeTransactionId: String?
    public var allowFallbackToSale: Bool?
    /// Stores the card for the invoice's customer once the payment is approved.
    public var saveSource: Bool?

    public init(
        invoiceId: String, source: String, webAuthenticationCallback: WebAuthenticationCallback? = nil,
        clientSecret: String? = nil
    ) {
        self.invoiceId = invoiceId
        self.source = source
        self.webAuthenticationCallback = webAuthenticationCallback
        self.clientSecret = clientSecret
    }

    /// - Throws: `PaymentError` for an id that is none, and for a card number in place of a source, which it does not
    ///   repeat.
    func check() throws {
        try checkInvoiceId(invoiceId)
        guard !isWhole(source, "[0-9]([ -]?[0-9]){11,18}") else {
            throw PaymentError(.invalidRequest, "source has to be an id such as card_…, never a card number.")
        }
        guard isWhole(source, "(card|tok|cust|gway_req)_[A-Za-z0-9_+/=-]+") else {
            throw PaymentError(.invalidRequest, "source has to be the id of a payment source, such as card_….")
        }
        guard saveSource != true || clientSecret != nil else {
            throw PaymentError(.invalidRequest, "saveSource needs the clientSecret of the invoice.")
        }
    }

    /// The JSON of a request with this source, its fields in the order of the interface's table.
    func body(source: String) -> String {
        JSONText.object([
            ("source", .text(source)),
            ("enable_three_d_s_2", .flag(true)),
            ("authorize_only", authorizeOnly.map(JSONText.flag)),
            ("auto_capture_at", autoCaptureAt.map(JSONText.text)),
            ("capture_amount", captureAmount.map(JSONText.text)),
            ("preferred_scheme", preferredScheme.map(JSONText.text)),
            ("incremental", incremental.map(JSONText.flag)),
            ("invoice_detail_ids", invoiceDetailIds.map(JSONText.texts)),
            ("override_mac_blocking", overrideMacBlocking.map(JSONText.flag)),
            ("initial_scheme_transaction_id", initialSchemeTransactionId.map(JSONText.text)),
            ("allow_fallback_to_sale", allowFallbackToSale.map(JSONText.flag)),
            ("save_source", saveSource.map(JSONText.flag)),
        ]).written
    }
}

extension AuthorizationRequest: CustomStringConvertible, CustomReflectable {
    /// Sources and secrets do not belong into logs.
    public var description: String { "AuthorizationRequest(invoiceId: \(invoiceId))" }
    public var customMirror: Mirror { Mirror(self, children: ["invoiceId": invoiceId]) }
}

func checkInvoiceId(_ invoiceId: String) throws {
    guard isWhole(invoiceId, "iv_[A-Za-z0-9_-]{1,200}") else {
        throw PaymentError(.invalidRequest, "invoiceId has to be an id such as iv_….")
    }
}
