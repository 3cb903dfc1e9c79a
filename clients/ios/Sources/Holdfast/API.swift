import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the service says to a request to pay. A no is a `PaymentError`.
enum PaymentAnswer {
    case paid(Transaction, customerTokenId: String?)
    /// The outcome comes later, and the customer has nothing to do.
    case open(Transaction?)
    case asks(CustomerAction)
}

/// A request was repeated until its time was up, and at least one of its attempts may have arrived.
struct Unanswered: Error {}

/// The two requests of the library, each repeated while the connection fails.
final class API: Sendable {
    private let baseURL: String
    private let authorization: String
    private let timing: Timing
    private let session: URLSession

    init(
        baseURL: String, projectId: String, timing: Timing, configuration: URLSessionConfiguration = .ephemeral
    ) {
        self.baseURL = baseURL
        self.timing = timing
        authorization = "Basic " + Data("\(projectId):".utf8).base64EncodedString()
        configuration.timeoutIntervalForRequest = timing.requestTimeout
        configuration.timeoutIntervalForResource = timing.requestTimeout
        configuration.httpCookieAcceptPolicy = .never
        session = URLSession(configuration: configuration, delegate: RefusesRedirects(), delegateQueue: nil)
    }

    /// - Throws: `Unanswered` if it could not be read.
    func invoice(_ invoiceId: String, attempts: Int? = nil) async throws -> Invoice {
        let request = try self.request("GET", "/invoices/\(invoiceId)?expand=transaction")
        let answer = try await send(request, attempts: attempts) { $0.invoice != nil }
        guard let invoice = answer.invoice else { throw Unanswered() }
        return invoice
    }

    /// Asks for the authorization, with the same key in every attempt: the service carries it out once.
    ///
    /// - Throws: `Unanswered` if it may have arrived and no answer came.
    func authorize(
        _ request: AuthorizationRequest, source: String, idempotencyKey: String, attempts: Int? = nil
    ) async throws -> PaymentAnswer {
        var post = try self.request("POST", "/invoices/\(request.invoiceId)/authorize")
        post.setValue("application/json", forHTTPHeaderField: "Content-Type")
        post.setValue(idempotencyKey, forHTTPHeaderField: "Idempotency-Key")
        if let secret = request.clientSecret { post.setValue(secret, forHTTPHeaderField: "X-Service-Client-Secret") }
        post.httpBody = Data(request.body(source: source).utf8)
        return try paymentAnswer(try await send(post, attempts: attempts, isExpected: isAboutPayment))
    }

    private func request(_ method: String, _ path: String) throws -> URLRequest {
        guard let url = URL(string: baseURL + path) else {
            throw PaymentError(.invalidRequest, "baseURL has to be a web address that begins with https.")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(authorization, forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return request
    }

    /// Sends the request until it is answered.
    ///
    /// - Parameter isExpected: Whether the body of a success is the one that was asked for.
    /// - Throws: `PaymentError` for an answer that says no.
    private func send(
        _ request: URLRequest, attempts: Int?, isExpected: (Answer) -> Bool
    ) async throws -> Answer {
        let attempts = attempts ?? timing.attempts
        var mayHaveArrived = false
        var number = 1
        while true {
            let attempt = try await tryOnce(request, isExpected: isExpected)
            switch attempt {
            case .answered(let answer):
                return answer
            case .failed(let failed):
                mayHaveArrived = mayHaveArrived || failed.mayHaveArrived
                let retryAfter = failed.retryAfter ?? 0
                if number >= attempts || retryAfter > timing.longestRetryAfter {
                    if !mayHaveArrived, let refusal = failed.refusal { throw refusal }
                    throw Unanswered()
                }
                try await sleep(seconds: max(retryAfter, pause(after: number)))
                number += 1
            }
        }
    }

    /// Between half of the pause and all of it, so that apps that lost the service together do not return together.
    private func pause(after number: Int) -> TimeInterval {
        min(timing.firstPause * pow(2, Double(number - 1)), timing.longestPause) * Double.random(in: 0.5...1)
    }

    private enum Attempt {
        case answered(Answer)
        /// Worth another attempt.
        case failed(Failed)
    }

    private struct Failed {
        /// What the service said, if it did nothing.
        var refusal: PaymentError?
        var retryAfter: TimeInterval?
        var mayHaveArrived = true
    }

    private func tryOnce(_ request: URLRequest, isExpected: (Answer) -> Bool) async throws -> Attempt {
        let reply: (data: Data, response: URLResponse)
        do {
            reply = try await session.data(for: request)
        } catch {
            // The app has canceled the payment, or the connection has failed.
            try Task.checkCancellation()
            return .failed(Failed())
        }
        // Networks with a page of their own to log in answer for the service, and with its statuses.
        guard let http = reply.response as? HTTPURLResponse,
            let answer = try? JSONDecoder().decode(Answer.self, from: reply.data)
        else { return .failed(Failed()) }
        if answer.success {
            let isSuccess = (200..<300).contains(http.statusCode) && isExpected(answer)
            return isSuccess ? .answered(answer) : .failed(Failed())
        }
        return .failed(try judge(http, answer))
    }

    /// - Throws: `PaymentError` unless another attempt is worth it.
    private func judge(_ response: HTTPURLResponse, _ answer: Answer) throws -> Failed {
        let given = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
        let seconds = given.flatMap { $0 >= 0 ? $0 : nil }
        let retryAfter = seconds.map { TimeInterval($0) }
        let refusal = paymentError(status: response.statusCode, answer: answer, retryAfterSeconds: seconds)
        switch (response.statusCode, answer.errorType ?? "") {
        case (408, let type), (500, let type), (502, let type), (503, let type), (504, let type):
            // The service says that it has not begun.
            let isNothingDone = type == "request.timeout" || type == "request.not-started"
            return Failed(refusal: refusal, retryAfter: retryAfter, mayHaveArrived: !isNothingDone)
        case (429, let type) where type != "request.rate.too-many-failures":
            // Whoever tries cards gets the other one; another attempt makes it worse.
            return Failed(refusal: refusal, retryAfter: retryAfter, mayHaveArrived: false)
        case (409, "request.still-processing"):
            // The first request with the key is under way.
            return Failed(refusal: nil, retryAfter: retryAfter, mayHaveArrived: true)
        default:
            throw refusal
        }
    }
}

/// A redirect would hand the request to somebody else.
private final class RefusesRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

private func isAboutPayment(_ answer: Answer) -> Bool {
    answer.outcome == "pending" || (answer.outcome == "success" && answer.transaction != nil)
}

/// The payment was made and is no more, which is no success for the customer.
private let givenBackStatuses: Set = ["voided", "refunded"]

/// - Throws: `PaymentError` for a payment that was given back.
private func paymentAnswer(_ answer: Answer) throws -> PaymentAnswer {
    if let action = answer.customerAction { return .asks(CustomerAction(type: action.type, value: action.value)) }
    if let status = answer.transaction?.status, givenBackStatuses.contains(status) { throw invoiceIsOver(status) }
    if answer.outcome == "success", let transaction = answer.transaction {
        return .paid(transaction, customerTokenId: answer.customerTokenId)
    }
    return .open(answer.transaction)
}

/// - Throws: `CancellationError` if the app has canceled the payment.
func sleep(seconds: TimeInterval) async throws {
    try await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
}
