package holdfast.android

import kotlinx.coroutines.awaitCancellation
import kotlinx.serialization.json.JsonObject
import java.util.Collections

/** An app's service that does what a fixture says, and counts. */
internal class ScriptedService(
    private val script: JsonObject = JsonObject(emptyMap()),
) : ThreeDSService {
    val calls: MutableList<String> = Collections.synchronizedList(mutableListOf())
    private val redirects = if ("redirects" in script) script.texts("redirects").toMutableList() else mutableListOf()

    override suspend fun authenticationRequest(configuration: ThreeDSConfiguration): ThreeDSAuthenticationRequest {
        calls += "authenticationRequest"
        if (script["device_data"] !is JsonObject) throw IllegalStateException("The native library has failed.")
        return deviceDataOf(script.sub("device_data"))
    }

    override suspend fun handle(challenge: ThreeDSChallenge): Boolean {
        calls += "challenge"
        return when (script.textOrNull("challenge")) {
            "passed" -> true
            "failed" -> false
            "canceled" -> throw CustomerCanceled()
            else -> throw IllegalStateException("The native library has failed.")
        }
    }

    override suspend fun handle(redirect: ThreeDSRedirect): String {
        calls += "redirect"
        return when (val opened = redirects.removeAt(0)) {
            "hangs" -> awaitCancellation()
            "canceled" -> throw CustomerCanceled()
            // What is no address is what a careless app hands over as it is.
            else -> if ("://" in opened) redirect.tokenFrom(opened) else opened
        }
    }

    override fun cleanup() {
        calls += "cleanup"
        // Nothing that goes wrong here may reach the payment.
        throw IllegalStateException("The cleanup has failed.")
    }
}
