package holdfast.android

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.async

/** The payments that are under way: one for each invoice, whoever waits for it. */
internal class RunningPayments(
    private val scope: CoroutineScope,
) {
    private class Running(
        val request: AuthorizationRequest,
    ) {
        lateinit var work: Deferred<AuthorizedInvoice>
        var waiting = 0
        val services = mutableListOf<ThreeDSService>()
    }

    private val running = HashMap<String, Running>()

    /**
     * Waits for the payment of the invoice, which it begins if none is under way.
     *
     * @throws PaymentInProgress if another request pays the invoice.
     */
    suspend fun join(
        request: AuthorizationRequest,
        service: ThreeDSService,
        pay: suspend () -> AuthorizedInvoice,
    ): AuthorizedInvoice {
        val payment = enter(request, service, pay)
        try {
            return payment.work.await()
        } finally {
            leave(payment)
        }
    }

    private fun enter(
        request: AuthorizationRequest,
        service: ThreeDSService,
        pay: suspend () -> AuthorizedInvoice,
    ): Running {
        val refused =
            synchronized(running) {
                val found = running[request.invoiceId] ?: return begin(request, service, pay)
                val isNew = found.services.none { it.isSameAs(service) }
                if (found.request == request) {
                    if (isNew) found.services += service
                    found.waiting += 1
                    return found
                }
                isNew
            }
        if (refused) service.cleanUpQuietly()
        throw PaymentInProgress("Another request pays the invoice ${request.invoiceId}.")
    }

    /** A payment that is canceled before it has begun is started all the same, or nothing would clean up. */
    @OptIn(DelicateCoroutinesApi::class)
    private fun begin(
        request: AuthorizationRequest,
        service: ThreeDSService,
        pay: suspend () -> AuthorizedInvoice,
    ): Running {
        val payment = Running(request)
        payment.services += service
        payment.waiting = 1
        running[request.invoiceId] = payment
        payment.work =
            scope.async(start = CoroutineStart.ATOMIC) {
                try {
                    pay()
                } finally {
                    end(payment)
                }
            }
        return payment
    }

    private fun end(payment: Running) {
        val services =
            synchronized(running) {
                running.remove(payment.request.invoiceId, payment)
                payment.services.toList()
            }
        services.forEach { it.cleanUpQuietly() }
    }

    /** Whoever comes after the last one begins anew. */
    private fun leave(payment: Running) {
        val isLast =
            synchronized(running) {
                payment.waiting -= 1
                if (payment.waiting == 0) running.remove(payment.request.invoiceId, payment)
                payment.waiting == 0
            }
        if (isLast) payment.work.cancel()
    }
}

/** What goes wrong there changes nothing about the payment. */
private fun ThreeDSService.cleanUpQuietly() {
    try {
        cleanup()
    } catch (_: Exception) {
    }
}
