package holdfast.android

/** A payment that was authorized or captured. Deliver only what the merchant's server has checked, too. */
public data class AuthorizedInvoice(
    val invoiceId: String,
    val transaction: Transaction,
    /**
     * The stored source that was charged or that the card was saved as, `tok_…`. Null if there is none, and also if
     * the answer was lost and only the invoice told of the success.
     */
    val customerTokenId: String? = null,
)

/** The payment of an invoice, as far as an app sees it. Amounts are decimal texts. */
public data class Transaction(
    val id: String,
    /** `authorized` or `completed` after a success. */
    val status: String,
    val amount: String?,
    val authorizedAmount: String?,
    val capturedAmount: String?,
    val currency: String?,
    /** Of a failed payment, such as `card.declined`. */
    val errorCode: String?,
)

/** An invoice, as far as an app sees it. */
public data class Invoice(
    val id: String,
    val name: String?,
    val amount: String?,
    val currency: String?,
    /** `pending`, `processing`, `authorized`, `completed`, `failed`, `canceled`, `expired` or `refunded`. */
    val status: String,
    val returnUrl: String?,
    /** `web`, `ios` or `android`. */
    val channel: String?,
    /** Null before the first attempt to pay. */
    val transaction: Transaction?,
)
