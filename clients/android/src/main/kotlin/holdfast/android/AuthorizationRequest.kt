package holdfast.android

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/**
 * What is to be authorized, with the options of the interface. What is null is left to the invoice and the project.
 *
 * Two requests that are equal are the same payment: the second joins the first while that is under way.
 *
 * @throws IllegalArgumentException for an id that is none, and for a card number in place of a source.
 */
public data class AuthorizationRequest
    @JvmOverloads
    constructor(
        /** `iv_…`. */
        val invoiceId: String,
        /** `card_…`, `tok_…` or `cust_…`: the id of a payment source, never a card number. */
        val source: String,
        /** Proves that the merchant gave the invoice to this app: needed for stored sources and [saveSource]. */
        val clientSecret: String? = null,
        /** False captures the money at once; otherwise the merchant's server captures. */
        val authorizeOnly: Boolean? = null,
        /** ISO 8601 with an offset or `Z`: when the service captures by itself. */
        val autoCaptureAt: String? = null,
        /** A decimal text in the digits of the currency. Only where the project lets apps choose it. */
        val captureAmount: String? = null,
        /** Of a card with two schemes, such as `carte bancaire`. */
        val preferredScheme: String? = null,
        val incremental: Boolean? = null,
        /** Lines of the invoice to capture. Only where the project lets apps choose them. */
        val invoiceDetailIds: List<String>? = null,
        /** Only where the project lets apps override. */
        val overrideMacBlocking: Boolean? = null,
        /** Only where the project lets apps override. */
        val initialSchemeTransactionId: String? = null,
        val allowFallbackToSale: Boolean? = null,
        /** Stores the card for the invoice's customer once the payment is approved. */
        val saveSource: Boolean? = null,
    ) {
        init {
            require(INVOICE_ID.matches(invoiceId)) { "invoiceId has to be an id such as iv_…." }
            // Neither message repeats the source: it may be a card number.
            require(!CARD_NUMBER.matches(source)) { "source has to be an id such as card_…, never a card number." }
            require(SOURCE.matches(source)) { "source has to be the id of a payment source, such as card_…." }
            require(saveSource != true || clientSecret != null) { "saveSource needs the clientSecret of the invoice." }
        }

        /** Sources and secrets do not belong into logs. */
        override fun toString(): String = "AuthorizationRequest(invoiceId=$invoiceId)"

        /** The body of a request with this source, its fields in the order of the interface's table. */
        internal fun bodyWith(source: String): JsonObject {
            val fields =
                linkedMapOf<String, JsonElement?>(
                    "source" to JsonPrimitive(source),
                    "enable_three_d_s_2" to JsonPrimitive(true),
                    "authorize_only" to authorizeOnly?.let(::JsonPrimitive),
                    "auto_capture_at" to autoCaptureAt?.let(::JsonPrimitive),
                    "capture_amount" to captureAmount?.let(::JsonPrimitive),
                    "preferred_scheme" to preferredScheme?.let(::JsonPrimitive),
                    "incremental" to incremental?.let(::JsonPrimitive),
                    "invoice_detail_ids" to invoiceDetailIds?.let { ids -> JsonArray(ids.map(::JsonPrimitive)) },
                    "override_mac_blocking" to overrideMacBlocking?.let(::JsonPrimitive),
                    "initial_scheme_transaction_id" to initialSchemeTransactionId?.let(::JsonPrimitive),
                    "allow_fallback_to_sale" to allowFallbackToSale?.let(::JsonPrimitive),
                    "save_source" to saveSource?.let(::JsonPrimitive),
                )
            return JsonObject(fields.mapNotNull { (name, value) -> value?.let { name to it } }.toMap(LinkedHashMap()))
        }
    }

internal val INVOICE_ID = Regex("iv_[A-Za-z0-9_-]{1,200}")

private val SOURCE = Regex("(card|tok|cust|gway_req)_[A-Za-z0-9_+/=-]+")

/** Digits as they are on a card, also in groups. */
private val CARD_NUMBER = Regex("[0-9](?:[ -]?[0-9]){11,18}")
