package holdfast.android

import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.withTimeoutOrNull
import java.util.UUID
import java.util.concurrent.TimeUnit

/**
 * One payment from the request to its end: it asks the service, lets the customer act, and asks again with what came
 * of it, until no action is left.
 *
 * @param scope where the steps of the app's service run, so that one that does not let itself be interrupted holds up
 * nothing.
 */
internal class AuthorizationFlow(
    private val api: Api,
    private val options: ClientOptions,
    private val scope: CoroutineScope,
    private val request: AuthorizationRequest,
    private val service: ThreeDSService,
) {
    private val timing = options.timing

    /** Each round is a request of its own: repeated with its key, it is the same one. */
    private val paymentKey = UUID.randomUUID().toString()
    private var rounds = 0

    /** @throws PaymentException if the invoice is not authorized afterwards, or nobody knows yet. */
    suspend fun run(): AuthorizedInvoice {
        val invoice = readInvoice()
        returnUrlProblem(invoice, options.applicationId)?.let { throw InvalidRequest(it) }
        var source = request.source
        while (true) {
            when (val answer = ask(source)) {
                is PaymentAnswer.Paid -> return authorized(answer)
                is PaymentAnswer.Open -> return awaitOutcome(answer.transaction)
                is PaymentAnswer.Asks ->
                    source =
                        try {
                            if (rounds == ROUNDS_MAX) throw StepEnded(AuthenticationFailed(CIRCLES))
                            nextSource(answer.action, invoice)
                        } catch (ended: StepEnded) {
                            return abandon(answer.action, ended.reason)
                        }
            }
        }
    }

    /** Nothing has begun yet, so that a lost connection leaves nothing open. */
    private suspend fun readInvoice(): Invoice =
        try {
            api.invoice(request.invoiceId)
        } catch (lost: Unanswered) {
            throw ConnectionLost("The invoice could not be read; no payment was begun.", lost.cause)
        }

    /** One round. If its answer is lost for good, the invoice tells what became of it. */
    private suspend fun ask(source: String): PaymentAnswer {
        rounds += 1
        val key = "$paymentKey-$rounds"
        return try {
            api.authorize(request, source, key)
        } catch (lost: Unanswered) {
            whatBecame(lost) ?: try {
                // The connection is back, and nothing is decided: the same request once more.
                api.authorize(request, source, key, attempts = 1)
            } catch (again: Unanswered) {
                throw connectionLost(again)
            } catch (again: TryLater) {
                throw connectionLost(again)
            }
        }
    }

    /**
     * Null if the invoice tells nothing about this round. A failure may be that of an earlier card.
     *
     * @throws ConnectionLost if it cannot be read either.
     */
    private suspend fun whatBecame(lost: Unanswered): PaymentAnswer? {
        val invoice =
            try {
                api.invoice(request.invoiceId)
            } catch (again: Unanswered) {
                throw connectionLost(again)
            } catch (again: PaymentException) {
                throw connectionLost(lost)
            }
        val transaction = invoice.transaction ?: return null
        return when {
            invoice.status in PAID -> PaymentAnswer.Paid(transaction, customerTokenId = null)
            transaction.status in OPEN -> PaymentAnswer.Open(transaction)
            else -> null
        }
    }

    private fun connectionLost(cause: Exception) =
        ConnectionLost(LOST, cause.cause)

    /** The customer acts; what comes of it is the source of the next round. */
    private suspend fun nextSource(
        action: CustomerAction,
        invoice: Invoice,
    ): String =
        when (action) {
            is CustomerAction.NativeFingerprint -> {
                val collected = step { service.authenticationRequest(action.configuration) }
                deviceDataSource(collected) ?: throw StepEnded(AuthenticationFailed(NO_KEY))
            }
            is CustomerAction.NativeChallenge -> challengeSource(step { service.handle(action.challenge) })
            is CustomerAction.Page -> sourceAfter(action, invoice)
            is CustomerAction.Unreadable -> throw StepEnded(AuthenticationFailed(action.problem))
        }

    /** Without a token the service has kept what the bank's page told it, and takes the first source again. */
    private suspend fun sourceAfter(
        page: CustomerAction.Page,
        invoice: Invoice,
    ): String {
        val timeoutMs = timing.fingerprintTimeoutMs.takeIf { page.isFingerprint }
        val seconds = timeoutMs?.let { TimeUnit.MILLISECONDS.toSeconds(it).toInt().coerceAtLeast(1) }
        val redirect = ThreeDSRedirect(page.url, seconds, invoice.returnUrl.orEmpty(), invoice.id)
        val handle: suspend () -> String = { step { service.handle(redirect) } }
        val token =
            if (timeoutMs == null) handle()
            else withTimeoutOrNull(timeoutMs) { handle() } ?: return fingerprintTimedOutSource(page.url)
        return token.takeIf(::isToken) ?: request.source
    }

    /**
     * A step of the app's service.
     *
     * @throws StepEnded if it fails, or the customer cancels.
     */
    private suspend fun <T> step(run: suspend () -> T): T {
        val work = scope.async { run() }
        try {
            return work.await()
        } catch (_: CustomerCanceled) {
            throw StepEnded(PaymentCanceled("The customer has canceled.", "customer.canceled"))
        } catch (failed: CancellationException) {
            // Either the app has canceled the payment, or only its own step.
            currentCoroutineContext().ensureActive()
            throw StepEnded(AuthenticationFailed(SERVICE_FAILED, cause = failed))
        } catch (failed: Exception) {
            throw StepEnded(AuthenticationFailed(SERVICE_FAILED, cause = failed))
        } finally {
            work.cancel()
        }
    }

    /**
     * Tells the service that the customer goes no further, so that another card can be tried at once. If the payment
     * was made all the same, it is a success.
     *
     * @throws PaymentException the reason, or what the service says instead.
     */
    private suspend fun abandon(
        action: CustomerAction,
        reason: PaymentException,
    ): AuthorizedInvoice {
        val answer =
            try {
                ask(action.canceledSource)
            } catch (_: PaymentCanceled) {
                throw reason
            } catch (_: SourceRefused) {
                // The service waits for nothing any more.
                throw reason
            } catch (_: TryLater) {
                // The service ends the payment by itself when the customer's time is up.
                throw reason
            }
        return when (answer) {
            is PaymentAnswer.Paid -> authorized(answer)
            is PaymentAnswer.Open -> awaitOutcome(answer.transaction)
            is PaymentAnswer.Asks -> throw reason
        }
    }

    /** @throws PaymentPending when the time is up. */
    private suspend fun awaitOutcome(transaction: Transaction?): AuthorizedInvoice {
        var latest = transaction
        val outcome =
            withTimeoutOrNull(timing.pollForMs) { readUntilDecided { latest = it.transaction ?: latest } }
                ?: throw PaymentPending("The outcome of the payment is not known yet.", latest)
        val ended = outcome.transaction
        if (outcome.status in PAID && ended != null) return AuthorizedInvoice(outcome.id, ended)
        if (outcome.status in OVER) throw invoiceIsOver(outcome.status)
        throw paymentFailure(ended?.errorCode, "The payment has failed.", requestId = null)
    }

    private suspend fun readUntilDecided(onRead: (Invoice) -> Unit): Invoice {
        var pauseMs = timing.firstPauseMs
        while (true) {
            delay(pauseMs)
            pauseMs = minOf(pauseMs * 2, timing.longestPauseMs)
            val invoice = readQuietly() ?: continue
            onRead(invoice)
            if (invoice.status in DECIDED) return invoice
        }
    }

    /** Null if it could not be read this time. */
    private suspend fun readQuietly(): Invoice? =
        try {
            api.invoice(request.invoiceId, attempts = 1)
        } catch (_: Unanswered) {
            null
        } catch (_: PaymentException) {
            null
        }

    private fun authorized(paid: PaymentAnswer.Paid) =
        AuthorizedInvoice(request.invoiceId, paid.transaction, paid.customerTokenId)
}

/** The customer goes no further, for this reason. */
private class StepEnded(
    val reason: PaymentException,
) : Exception(reason)

/** The service asks for five actions at most. */
private const val ROUNDS_MAX = 6

private val PAID = setOf("authorized", "completed")
private val FAILED = setOf("failed")

/** No card can pay the invoice any more. */
private val OVER = setOf("canceled", "expired", "refunded")
private val DECIDED = PAID + FAILED + OVER

/** The customer has nothing to do, and the gateway has not decided. */
private val OPEN = setOf("pending", "in-review", "pending-capture")

private const val LOST = "The service did not answer. Another try of the same invoice charges nothing twice."
private const val CIRCLES = "The bank asked for more steps than an authentication has."
private const val NO_KEY = "The native library gave no complete public key."
private const val SERVICE_FAILED = "The app could not carry out a step of the authentication."
