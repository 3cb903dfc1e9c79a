/// What an app does with an invoice that the merchant's server has created.
public actor Invoices {
    private let api: API
    private let timing: Timing

    /// One payment for each invoice, whoever waits for it.
    private var running: [String: RunningPayment] = [:]

    init(api: API, timing: Timing) {
        self.api = api
        self.timing = timing
    }

    /// Authorizes an invoice with a payment source, and lets the customer authenticate where the bank wants it.
    ///
    /// A call that is equal to one that is under way joins it. The payment goes on until the last of its callers is
    /// canceled. A payment that was canceled so can be taken up again with the same request: it charges nothing
    /// twice.
    ///
    /// - Parameter threeDSService: Its `cleanup` is called once, however this ends.
    /// - Throws: `PaymentError`, whose `kind` says what the app does about it; `CancellationError` if the task is
    ///   canceled.
    public func authorizeInvoice(
        request: AuthorizationRequest, threeDSService: any ThreeDSService
    ) async throws -> AuthorizedInvoice {
        let payment: RunningPayment
        do {
            try request.check()
            payment = try enter(request, threeDSService)
        } catch {
            // The service of a payment that is under way is still needed.
            if running[request.invoiceId]?.has(threeDSService) != true { await threeDSService.cleanup() }
            throw error
        }
        let result = await withTaskCancellationHandler {
            await payment.work.result
        } onCancel: {
            Task { await self.leave(payment) }
        }
        try Task.checkCancellation()
        return try result.get()
    }

    /// Reads an invoice, for instance to see what became of a payment that was open.
    ///
    /// - Throws: `PaymentError`
    public func find(_ invoiceId: String) async throws -> Invoice {
        try checkInvoiceId(invoiceId)
        do {
            return try await api.invoice(invoiceId)
        } catch is Unanswered {
            throw PaymentError(.connectionLost, "The invoice could not be read.")
        }
    }

    private func enter(_ request: AuthorizationRequest, _ service: any ThreeDSService) throws -> RunningPayment {
        if let found = running[request.invoiceId] {
            guard found.request == request else {
                throw PaymentError(.inProgress, "Another request pays the invoice \(request.invoiceId).")
            }
            found.waiting += 1
            if !found.has(service) { found.services.append(service) }
            return found
        }
        let (api, timing) = (api, timing)
        let payment = RunningPayment(request: request, service: service)
        payment.work = Task {
            let flow = AuthorizationFlow(api: api, timing: timing, request: request, service: service)
            do {
                let authorized = try await flow.run()
                await self.end(payment)
                return authorized
            } catch {
                await self.end(payment)
                throw error
            }
        }
        running[request.invoiceId] = payment
        return payment
    }

    private func end(_ payment: RunningPayment) async {
        forget(payment)
        for service in payment.services { await service.cleanup() }
    }

    /// Whoever comes after the last one begins anew.
    private func leave(_ payment: RunningPayment) {
        payment.waiting -= 1
        guard payment.waiting == 0 else { return }
        forget(payment)
        payment.work.cancel()
    }

    private func forget(_ payment: RunningPayment) {
        if running[payment.request.invoiceId] === payment { running[payment.request.invoiceId] = nil }
    }
}

/// A payment that is under way. Only the actor touches what changes in it.
private final class RunningPayment: @unchecked Sendable {
    let request: AuthorizationRequest
    var services: [any ThreeDSService]
    var waiting = 1
    var work: Task<AuthorizedInvoice, any Error>!

    init(request: AuthorizationRequest, service: any ThreeDSService) {
        self.request = request
        services = [service]
    }

    func has(_ service: any ThreeDSService) -> Bool {
        services.contains { $0 === service }
    }
}
