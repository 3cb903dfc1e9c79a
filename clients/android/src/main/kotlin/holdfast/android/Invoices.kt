package holdfast.android

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.launch

/** What an app does with an invoice that the merchant's server has created. */
public class Invoices internal constructor(
    private val api: Api,
    private val options: ClientOptions,
    private val scope: CoroutineScope,
) {
    private val payments = RunningPayments(scope)

    /**
     * Authorizes an invoice with a payment source, and lets the customer authenticate where the bank wants it.
     *
     * A call that is equal to one that is under way joins it. The payment goes on until the last of its callers is
     * canceled. A payment that was canceled so can be taken up again with the same request: it charges nothing twice.
     *
     * @param threeDSService its `cleanup` is called once, however this ends.
     * @throws PaymentException one class for each thing that the app does about it.
     */
    public suspend fun authorize(
        request: AuthorizationRequest,
        threeDSService: ThreeDSService,
    ): AuthorizedInvoice =
        payments.join(request, threeDSService) { AuthorizationFlow(api, options, scope, request, threeDSService).run() }

    /**
     * The same for Java.
     *
     * @param callback is called once, from a thread of the library, unless the call is canceled before.
     */
    public fun authorize(
        request: AuthorizationRequest,
        threeDSCallbacks: ThreeDSCallbacks,
        callback: AuthorizationCallback,
    ): Cancelable {
        // Begun here and now: one that is canceled before it has begun would clean up nothing.
        val work =
            scope.launch(start = CoroutineStart.UNDISPATCHED) {
                val ended = runCatching { authorize(request, CallbackService(threeDSCallbacks)) }
                if (!isCanceled()) callback.report(ended)
            }
        return Cancelable { work.cancel() }
    }

    /**
     * Reads an invoice, for instance to see what became of a payment that was open.
     *
     * @throws PaymentException [ConnectionLost] among them.
     */
    public suspend fun find(invoiceId: String): Invoice {
        require(INVOICE_ID.matches(invoiceId)) { "invoiceId has to be an id such as iv_…." }
        return try {
            api.invoice(invoiceId)
        } catch (lost: Unanswered) {
            throw ConnectionLost("The invoice could not be read.", lost.cause)
        }
    }
}

/** How an authorization ended, for Java. */
public interface AuthorizationCallback {
    public fun onSuccess(invoice: AuthorizedInvoice)

    public fun onError(error: PaymentException)
}

/** A call that is under way. */
public fun interface Cancelable {
    public fun cancel()
}
