import Foundation

/// One payment from the request to its end: it asks the service, lets the customer act, and asks again with what came
/// of it, until no action is left.
final class AuthorizationFlow {
    /// The service asks for five actions at most.
    private static let roundsMax = 6

    private let api: API
    private let timing: Timing
    private let request: AuthorizationRequest
    private let service: any ThreeDSService

    /// Each round is a request of its own: repeated with its key, it is the same one.
    private let paymentKey = UUID().uuidString.lowercased()
    private var rounds = 0

    init(api: API, timing: Timing, request: AuthorizationRequest, service: any ThreeDSService) {
        self.api = api
        self.timing = timing
        self.request = request
        self.service = service
    }

    /// - Throws: `PaymentError` if the invoice is not authorized afterwards, or nobody knows yet.
    func run() async throws -> AuthorizedInvoice {
        let invoice = try await readInvoice()
        if let problem = returnURLProblem(invoice, callback: request.webAuthenticationCallback) {
            throw PaymentError(.invalidRequest, problem)
        }
        var source = request.source
        while true {
            let answer = try await ask(source)
            guard case .asks(let action) = answer else { return try await conclude(answer) }
            do {
                if rounds == Self.roundsMax {
                    throw StepEnded(.authenticationFailed, "The bank asked for more steps than an authentication has.")
                }
                source = try await nextSource(after: action, invoice: invoice)
            } catch let ended as StepEnded {
                return try await abandon(action, reason: ended.reason)
            }
        }
    }

    /// Nothing has begun yet, so that a lost connection leaves nothing open.
    private func readInvoice() async throws -> Invoice {
        do {
            return try await api.invoice(request.invoiceId)
        } catch is Unanswered {
            throw PaymentError(.connectionLost, "The invoice could not be read; no payment was begun.")
        }
    }

    /// One round. If its answer is lost for good, the invoice tells what became of it.
    private func ask(_ source: String) async throws -> PaymentAnswer {
        rounds += 1
        let key = "\(paymentKey)-\(rounds)"
        do {
            return try await api.authorize(request, source: source, idempotencyKey: key)
        } catch is Unanswered {
            let answer = try await whatBecame()
            if let answer { return answer }
        }
        do {
            // The connection is back, and nothing is decided: the same request once more.
            return try await api.authorize(request, source: source, idempotencyKey: key, attempts: 1)
        } catch is Unanswered {
            throw connectionLost
        } catch let error as PaymentError where error.kind == .tryLater {
            throw connectionLost
        }
    }

    /// Nil if the invoice tells nothing about this round. A failure may be that of an earlier card.
    ///
    /// - Throws: `PaymentError` `.connectionLost` if it cannot be read either.
    private func whatBecame() async throws -> PaymentAnswer? {
        let invoice: Invoice
        do {
            invoice = try await api.invoice(request.invoiceId)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw connectionLost
        }
        guard let transaction = invoice.transaction else { return nil }
        if paidStatuses.contains(invoice.status) { return .paid(transaction, customerTokenId: nil) }
        return openStatuses.contains(transaction.status) ? .open(transaction) : nil
    }

    private var connectionLost: PaymentError {
        PaymentError(
            .connectionLost, "The service did not answer. Another try of the same invoice charges nothing twice.")
    }

    /// The customer acts; what comes of it is the source of the next round.
    private func nextSource(after action: CustomerAction, invoice: Invoice) async throws -> String {
        let service = self.service
        switch action {
        case .nativeFingerprint(let configuration):
            let collected = try await step { try await service.authenticationRequest(configuration: configuration) }
            guard let source = deviceDataSource(collected) else {
                throw StepEnded(.authenticationFailed, "The native library gave no complete public key.")
            }
            return source
        case .nativeChallenge(let challenge):
            return challengeSource(isAuthenticated: try await step { try await service.handle(challenge: challenge) })
        case .page(let url, let isFingerprint):
            return try await source(afterPage: url, isFingerprint: isFingerprint, invoice: invoice)
        case .unreadable(let problem, _):
            throw StepEnded(.authenticationFailed, problem)
        }
    }

    /// Without a token the service has kept what the bank's page told it, and takes the first source again.
    private func source(afterPage url: String, isFingerprint: Bool, invoice: Invoice) async throws -> String {
        let service = self.service
        let redirect = ThreeDSRedirect(
            url: url, timeoutSeconds: isFingerprint ? max(1, Int(timing.fingerprintTimeout)) : nil,
            returnURL: invoice.returnURL ?? "", webAuthenticationCallback: request.webAuthenticationCallback,
            invoiceId: invoice.id)
        let token: String?
        if isFingerprint {
            let timeout = timing.fingerprintTimeout
            token = try await step {
                try await within(seconds: timeout) { try await service.handle(redirect: redirect) }
            }
        } else {
            token = try await step { try await service.handle(redirect: redirect) }
        }
        guard let token else { return fingerprintTimedOutSource(url: url) }
        return isToken(token) ? token : request.source
    }

    /// A step of the app's service.
    ///
    /// - Throws: `StepEnded` if it fails, or the customer cancels.
    private func step<T>(_ run: () async throws -> T) async throws -> T {
        do {
            return try await run()
        } catch is CustomerCanceled {
            throw StepEnded(.canceled, "The customer has canceled.", errorType: "customer.canceled")
        } catch {
            // Either the app has canceled the payment, or only its own step has failed.
            try Task.checkCancellation()
            throw StepEnded(
                .authenticationFailed, "The app could not carry out a step of the authentication.", underlying: error)
        }
    }

    /// Tells the service that the customer goes no further, so that another card can be tried at once. If the payment
    /// was made all the same, it is a success.
    ///
    /// - Throws: `PaymentError`, the reason, or what the service says instead.
    private func abandon(_ action: CustomerAction, reason: PaymentError) async throws -> AuthorizedInvoice {
        let answer: PaymentAnswer
        do {
            answer = try await ask(action.canceledSource)
        } catch let error as PaymentError where [.canceled, .sourceRefused, .tryLater].contains(error.kind) {
            // It is told, or waits for nothing any more, or ends the payment by itself when the customer's time is up.
            throw reason
        }
        if case .asks = answer { throw reason }
        return try await conclude(answer)
    }

    private func conclude(_ answer: PaymentAnswer) async throws -> AuthorizedInvoice {
        switch answer {
        case .paid(let transaction, let customerTokenId):
            return AuthorizedInvoice(
                invoiceId: request.invoiceId, transaction: transaction, customerTokenId: customerTokenId)
        case .open(let transaction):
            return try await awaitOutcome(transaction)
        case .asks:
            throw PaymentError(.pending, "The outcome of the payment is not known yet.")
        }
    }

    /// - Throws: `PaymentError` `.pending` when the time is up.
    private func awaitOutcome(_ known: Transaction?) async throws -> AuthorizedInvoice {
        let endsAt = Date().addingTimeInterval(timing.pollFor)
        var latest = known
        var pause = timing.firstPause
        while Date().addingTimeInterval(pause) < endsAt {
            try await sleep(seconds: pause)
            pause = min(pause * 2, timing.longestPause)
            guard let invoice = try? await api.invoice(request.invoiceId, attempts: 1) else { continue }
            latest = invoice.transaction ?? latest
            if paidStatuses.contains(invoice.status), let transaction = invoice.transaction {
                return AuthorizedInvoice(invoiceId: invoice.id, transaction: transaction, customerTokenId: nil)
            }
            if overStatuses.contains(invoice.status) { throw invoiceIsOver(invoice.status) }
            if failedStatuses.contains(invoice.status) {
                throw paymentError(invoice.transaction?.errorCode, "The payment has failed.")
            }
        }
        throw PaymentError(.pending, "The outcome of the payment is not known yet.", transaction: latest)
    }
}

/// The customer goes no further, for this reason.
private struct StepEnded: Error {
    let reason: PaymentError

    init(
        _ kind: PaymentError.Kind, _ message: String, errorType: String? = nil, underlying: (any Error)? = nil
    ) {
        reason = PaymentError(kind, message, errorType: errorType, underlying: underlying)
    }
}

private let paidStatuses: Set = ["authorized", "completed"]
private let failedStatuses: Set = ["failed"]

/// No card can pay the invoice any more.
private let overStatuses: Set = ["canceled", "expired", "refunded"]

/// The customer has nothing to do, and the gateway has not decided.
private let openStatuses: Set = ["pending", "in-review", "pending-capture"]

/// Nil if the work has not ended by then. It is canceled, and not waited for.
func within<T: Sendable>(
    seconds: TimeInterval, _ run: @escaping @Sendable () async throws -> T
) async throws -> T? {
    let first = FirstResult<T?>()
    let work = Task {
        do { first.set(.success(try await run())) } catch { first.set(.failure(error)) }
    }
    let timer = Task {
        try await sleep(seconds: seconds)
        first.set(.success(nil))
    }
    defer {
        work.cancel()
        timer.cancel()
    }
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { first.deliver(to: $0) }
    } onCancel: {
        first.set(.failure(CancellationError()))
    }
}

/// Takes the first of several results to its one reader, whichever of them comes first.
private final class FirstResult<T: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var result: Result<T, any Error>?
    private var reader: CheckedContinuation<T, any Error>?

    func set(_ result: Result<T, any Error>) {
        lock.lock()
        defer { lock.unlock() }
        guard self.result == nil else { return }
        self.result = result
        reader?.resume(with: result)
        reader = nil
    }

    func deliver(to reader: CheckedContinuation<T, any Error>) {
        lock.lock()
        defer { lock.unlock() }
        if let result { reader.resume(with: result) } else { self.reader = reader }
    }
}
