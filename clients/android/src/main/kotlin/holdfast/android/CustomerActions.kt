package holdfast.android

import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.put
import java.util.Base64

/** Every continuation of a payment begins so; base64 of JSON follows. */
internal const val SOURCE_PREFIX: String = "gway_req_"

/** A step that the service asks of the customer, as far as the library knows it. */
internal sealed interface CustomerAction {
    /** The source that tells the service that the customer has canceled. */
    val canceledSource: String

    data class NativeFingerprint(
        val configuration: ThreeDSConfiguration,
    ) : CustomerAction {
        override val canceledSource get() = CANCELED_NATIVE
    }

    data class NativeChallenge(
        val challenge: ThreeDSChallenge,
    ) : CustomerAction {
        override val canceledSource get() = CANCELED_NATIVE
    }

    /** A page in a browser session; [isFingerprint] if the customer has nothing to do there. */
    data class Page(
        val url: String,
        val isFingerprint: Boolean,
    ) : CustomerAction {
        override val canceledSource get() = canceledOn(url)
    }

    /** Of a later version of the interface, or broken. */
    data class Unreadable(
        val problem: String,
        override val canceledSource: String,
    ) : CustomerAction
}

internal fun readAction(
    type: String,
    value: String,
): CustomerAction =
    when (type) {
        "fingerprint-mobile" ->
            readNative<WireConfiguration>(value) { CustomerAction.NativeFingerprint(it.configuration()) }
        "challenge-mobile" -> readNative<WireChallenge>(value) { CustomerAction.NativeChallenge(it.challenge()) }
        "fingerprint", "redirect", "url" ->
            if (PAGE.containsMatchIn(value)) CustomerAction.Page(value, isFingerprint = type == "fingerprint")
            else CustomerAction.Unreadable("The address of the page is not a web address.", canceledOn(value))
        else ->
            CustomerAction.Unreadable("This version of the library does not know the action $type.", canceledOn(value))
    }

/** The source that hands the data about the device to the service; null if the public key is not a complete one. */
internal fun deviceDataSource(request: ThreeDSAuthenticationRequest): String? {
    val given = readJson(request.sdkEphemeralPublicKey) ?: return null
    // These four only: the library may add what it likes, be it the private part.
    val key = KEY_MEMBERS.associateWith { name -> given.textAt(name) ?: return null }
    val body =
        jsonText {
            put("deviceChannel", "app")
            put("sdkAppID", request.sdkAppId)
            put("sdkEphemPubKey", JsonObject(key.mapValues { JsonPrimitive(it.value) }))
            put("sdkReferenceNumber", request.sdkReferenceNumber)
            put("sdkTransID", request.sdkTransactionId)
            put("sdkEncData", request.deviceData)
        }
    return sourceOf { put("body", body) }
}

/** The source that tells the service how the challenge ended. */
internal fun challengeSource(isAuthenticated: Boolean): String {
    val body = jsonText { put("transStatus", if (isAuthenticated) "Y" else "N") }
    return sourceOf { put("body", body) }
}

/** The source that tells the service that the fingerprint page did not end in time. The spaces are part of the form. */
internal fun fingerprintTimedOutSource(url: String): String =
    sourceOf {
        put("url", url)
        put("body", """{ "threeDS2FingerprintTimeout": true }""")
    }

/** The text of base64 or base64url, with or without padding; null if it is neither. */
internal fun decodeBase64(text: String): String? =
    try {
        val standard = text.trimEnd('=').replace('-', '+').replace('_', '/')
        String(Base64.getDecoder().decode(standard), Charsets.UTF_8)
    } catch (_: IllegalArgumentException) {
        null
    }

private val PAGE = Regex("^https?://", RegexOption.IGNORE_CASE)

private val KEY_MEMBERS = listOf("crv", "kty", "x", "y")

private val CANCELED_NATIVE = sourceOf { put("body", """{"canceled":true}""") }

private fun canceledOn(url: String): String =
    sourceOf {
        put("url", url)
        put("body", "canceled=true")
    }

private fun sourceOf(fields: JsonObjectBuilder.() -> Unit): String =
    SOURCE_PREFIX + Base64.getEncoder().encodeToString(jsonText(fields).toByteArray(Charsets.UTF_8))

private fun jsonText(fields: JsonObjectBuilder.() -> Unit): String =
    Json.encodeToString(JsonObject.serializer(), buildJsonObject(fields))

private inline fun <reified Wire> readNative(
    value: String,
    known: (Wire) -> CustomerAction,
): CustomerAction {
    val wire = decodeBase64(value)?.let { readAs<Wire>(it) }
    return wire?.let(known) ?: CustomerAction.Unreadable("The data of the action cannot be read.", CANCELED_NATIVE)
}

private fun JsonObject.textAt(name: String): String? =
    (this[name] as? JsonPrimitive)?.takeIf { it.isString }?.contentOrNull

@Serializable
private class WireConfiguration(
    val directoryServerID: String,
    val directoryServerPublicKey: String,
    val directoryServerRootCAs: List<String>,
    val threeDSServerTransID: String,
    val messageVersion: String,
    val scheme: String? = null,
) {
    fun configuration() =
        ThreeDSConfiguration(
            directoryServerId = directoryServerID,
            directoryServerPublicKey = directoryServerPublicKey,
            directoryServerRootCAs = directoryServerRootCAs,
            threeDSServerTransactionId = threeDSServerTransID,
            messageVersion = messageVersion,
            scheme = scheme,
        )
}

@Serializable
private class WireChallenge(
    val acsTransID: String,
    val acsReferenceNumber: String,
    val acsSignedContent: String,
    val threeDSServerTransID: String,
) {
    fun challenge() =
        ThreeDSChallenge(
            acsTransactionId = acsTransID,
            acsReferenceNumber = acsReferenceNumber,
            acsSignedContent = acsSignedContent,
            threeDSServerTransactionId = threeDSServerTransID,
        )
}
