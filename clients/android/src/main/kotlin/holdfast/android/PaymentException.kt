package holdfast.android

/**
 * Why an authorization did not succeed. There is one class for each thing that an app does about it.
 *
 * Messages and causes hold no card data, no source and no secret.
 */
public sealed class PaymentException(
    message: String,
    cause: Throwable? = null,
) : Exception(message, cause) {
    /** The code of the service, such as `card.no-money`; null if the library itself has ended the payment. */
    public abstract val errorType: String?

    /** Names the answer to support staff. */
    public abstract val requestId: String?
}

/** The request cannot be right, or the project may not do this: correct the app or the merchant's server. */
public class InvalidRequest internal constructor(
    message: String,
    override val errorType: String? = null,
    override val requestId: String? = null,
    public val invalidFields: List<InvalidField> = emptyList(),
) : PaymentException(message)

/** One field of a request that the service does not accept. */
public data class InvalidField(
    val name: String,
    val message: String,
)

/** The payment source cannot be used any more: create the card anew and authorize with that. */
public class SourceRefused internal constructor(
    message: String,
    override val errorType: String?,
    override val requestId: String?,
) : PaymentException(message)

/** Bank or gateway said no: ask for another card. It may pay the same invoice. */
public class PaymentDeclined internal constructor(
    message: String,
    override val errorType: String?,
    override val requestId: String?,
) : PaymentException(message)

/** The customer could not be authenticated: let the customer try again, with this card or another one. */
public class AuthenticationFailed internal constructor(
    message: String,
    override val errorType: String? = null,
    override val requestId: String? = null,
    cause: Throwable? = null,
) : PaymentException(message, cause)

/** The customer has canceled: go back to where the payment began. The same card may be used. */
public class PaymentCanceled internal constructor(
    message: String,
    override val errorType: String? = null,
    override val requestId: String? = null,
) : PaymentException(message)

/** The invoice is being paid by another request, here or on another device: wait for that one. */
public class PaymentInProgress internal constructor(
    message: String,
    override val errorType: String? = null,
    override val requestId: String? = null,
) : PaymentException(message)

/**
 * The outcome is not known yet: show that the payment is processed, ask `invoices.find` later, and take no other
 * payment.
 */
public class PaymentPending internal constructor(
    message: String,
    public val transaction: Transaction?,
) : PaymentException(message) {
    override val errorType: String? get() = null
    override val requestId: String? get() = null
}

/**
 * The service did nothing, because it is asked for too much or not ready: offer another try after
 * [retryAfterSeconds].
 */
public class TryLater internal constructor(
    message: String,
    override val errorType: String?,
    override val requestId: String?,
    /** Null if the service did not say. */
    public val retryAfterSeconds: Long?,
) : PaymentException(message)

/**
 * The service could not be reached, and nobody here knows whether the request arrived: offer to try the same invoice
 * again, which charges nothing twice. Do not create another invoice.
 */
public class ConnectionLost internal constructor(
    message: String,
    cause: Throwable? = null,
) : PaymentException(message, cause) {
    override val errorType: String? get() = null
    override val requestId: String? get() = null
}
