package holdfast.android

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.nio.file.Files
import java.nio.file.Path

/** The wire forms that all libraries share; Maven runs the tests in the folder of this library. */
internal val FIXTURES: JsonObject =
    Json.parseToJsonElement(Files.readString(Path.of("..", "wire-fixtures.json"))).jsonObject

internal fun rowsOf(section: String): List<JsonObject> = FIXTURES.getValue(section).jsonArray.map { it.jsonObject }

internal fun JsonObject.text(name: String): String = getValue(name).jsonPrimitive.content

internal fun JsonObject.textOrNull(name: String): String? = (this[name] as? JsonPrimitive)?.contentOrNull

internal fun JsonObject.flag(name: String): Boolean = (this[name] as? JsonPrimitive)?.boolean ?: false

internal fun JsonObject.flagOrNull(name: String): Boolean? = (this[name] as? JsonPrimitive)?.boolean

internal fun JsonObject.sub(name: String): JsonObject = getValue(name).jsonObject

internal fun JsonObject.rows(name: String): List<JsonObject> = getValue(name).jsonArray.map { it.jsonObject }

internal fun JsonObject.texts(name: String): List<String> = getValue(name).jsonArray.map { it.jsonPrimitive.content }

/** The answer of an exchange, which is told by its name or by itself. */
internal fun answerOf(exchange: JsonObject): JsonObject =
    exchange["answer"] as? JsonObject ?: rowsOf("answers").first { it.text("name") == exchange.text("answer") }

internal fun deviceDataOf(given: JsonObject) =
    ThreeDSAuthenticationRequest(
        deviceData = given.text("deviceData"),
        sdkAppId = given.text("sdkAppId"),
        sdkEphemeralPublicKey = given.text("sdkEphemeralPublicKey"),
        sdkReferenceNumber = given.text("sdkReferenceNumber"),
        sdkTransactionId = given.text("sdkTransactionId"),
    )

/** A request with the options of a fixture, by their names on the wire. */
internal fun requestOf(
    invoiceId: String,
    options: JsonObject,
    clientSecret: String?,
) = AuthorizationRequest(
    invoiceId = invoiceId,
    source = options.text("source"),
    clientSecret = clientSecret,
    authorizeOnly = options.flagOrNull("authorize_only"),
    autoCaptureAt = options.textOrNull("auto_capture_at"),
    captureAmount = options.textOrNull("capture_amount"),
    preferredScheme = options.textOrNull("preferred_scheme"),
    incremental = options.flagOrNull("incremental"),
    invoiceDetailIds = (options["invoice_detail_ids"] as? JsonArray)?.map { it.jsonPrimitive.content },
    overrideMacBlocking = options.flagOrNull("override_mac_blocking"),
    initialSchemeTransactionId = options.textOrNull("initial_scheme_transaction_id"),
    allowFallbackToSale = options.flagOrNull("allow_fallback_to_sale"),
    saveSource = options.flagOrNull("save_source"),
)

/** The word of the fixtures for what an app does about it. */
internal fun kindOf(error: PaymentException): String =
    when (error) {
        is InvalidRequest -> "invalid-request"
        is SourceRefused -> "source-refused"
        is PaymentDeclined -> "declined"
        is AuthenticationFailed -> "authentication-failed"
        is PaymentCanceled -> "canceled"
        is PaymentInProgress -> "in-progress"
        is PaymentPending -> "pending"
        is TryLater -> "try-later"
        is ConnectionLost -> "connection-lost"
    }
