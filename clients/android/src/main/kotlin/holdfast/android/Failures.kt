package holdfast.android

/** The exception for an answer that says no, by what the app does about it. */
internal fun failureOf(
    status: Int,
    answer: WireAnswer,
    retryAfterSeconds: Long?,
): PaymentException {
    val message = answer.message ?: "The service answered with status $status."
    val type = answer.errorType
    return when {
        status == PAYMENT_FAILED || answer.outcome == "failed" -> paymentFailure(type, message, answer.requestId)
        status == TOO_LATE || status == TOO_MANY_REQUESTS || status >= SERVER_ERROR ->
            TryLater(message, type, answer.requestId, retryAfterSeconds)
        type != null && SOURCE_ERROR.containsMatchIn(type) -> SourceRefused(message, type, answer.requestId)
        else -> {
            val fields = answer.invalidFields.orEmpty().map { InvalidField(it.name, it.message) }
            InvalidRequest(message, type, answer.requestId, fields)
        }
    }
}

/** The exception for a payment that has failed with this code. A code that is not known is a decline. */
internal fun paymentFailure(
    type: String?,
    message: String,
    requestId: String?,
): PaymentException =
    when (type) {
        in CANCELED -> PaymentCanceled(message, type, requestId)
        in AUTHENTICATION -> AuthenticationFailed(message, type, requestId)
        "card.pending-3ds" -> PaymentInProgress(message, type, requestId)
        else -> PaymentDeclined(message, type, requestId)
    }

/** The exception for an invoice that no card can pay any more. */
internal fun invoiceIsOver(status: String) = InvalidRequest("The invoice takes no payment any more: it is $status.")

/** The request did not arrive in time; the service did nothing. */
private const val TOO_LATE = 408

/** The status of every payment that failed. */
private const val PAYMENT_FAILED = 410
internal const val TOO_MANY_REQUESTS: Int = 429
private const val SERVER_ERROR = 500

/** What is wrong is the source, and not the request. */
private val SOURCE_ERROR = Regex("^(request\\.source\\.|card\\.|resource\\.(card|token|customer)\\.)")

private val CANCELED = setOf("customer.canceled", "customer.cancelled", "card.canceled-by-client")

private val AUTHENTICATION =
    setOf(
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
    )
