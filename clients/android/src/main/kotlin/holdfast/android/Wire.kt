package holdfast.android

import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject

/** Answers have more fields than the library knows, and later versions of the service will add others. */
internal val TOLERANT_JSON: Json = Json { ignoreUnknownKeys = true }

/** Null if the text is not JSON of this shape. What the parser says is dropped: it quotes the text. */
internal inline fun <reified Wire> readAs(text: String): Wire? =
    try {
        TOLERANT_JSON.decodeFromString<Wire>(text)
    } catch (_: IllegalArgumentException) {
        null
    }

internal fun readJson(text: String): JsonObject? = readAs<JsonObject>(text)

/** The body of any answer of the service. */
@Serializable
internal class WireAnswer(
    val success: Boolean,
    val outcome: String? = null,
    @SerialName("error_type") val errorType: String? = null,
    val message: String? = null,
    @SerialName("request_id") val requestId: String? = null,
    @SerialName("invalid_fields") val invalidFields: List<WireField>? = null,
    @SerialName("customer_token_id") val customerTokenId: String? = null,
    @SerialName("customer_action") val customerAction: WireAction? = null,
    val transaction: WireTransaction? = null,
    val invoice: WireInvoice? = null,
)

@Serializable
internal class WireField(
    val name: String,
    val message: String,
)

@Serializable
internal class WireAction(
    val type: String,
    val value: String,
)

@Serializable
internal class WireTransaction(
    val id: String,
    val status: String,
    val amount: String? = null,
    @SerialName("authorized_amount") val authorizedAmount: String? = null,
    @SerialName("captured_amount") val capturedAmount: String? = null,
    val currency: String? = null,
    @SerialName("error_code") val errorCode: String? = null,
) {
    fun transaction(): Transaction =
        Transaction(id, status, amount, authorizedAmount, capturedAmount, currency, errorCode)
}

@Serializable
internal class WireInvoice(
    val id: String,
    val name: String? = null,
    val amount: String? = null,
    val currency: String? = null,
    val status: String,
    @SerialName("return_url") val returnUrl: String? = null,
    val device: WireDevice? = null,
    val transaction: WireTransaction? = null,
) {
    fun invoice(): Invoice =
        Invoice(id, name, amount, currency, status, returnUrl, device?.channel, transaction?.transaction())
}

@Serializable
internal class WireDevice(
    val channel: String? = null,
)
