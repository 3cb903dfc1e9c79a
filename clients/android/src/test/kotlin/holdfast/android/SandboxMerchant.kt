package holdfast.android

import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.put
import java.net.URI
import java.net.URLEncoder
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.Base64
import java.util.Collections

/** The merchant's server, which creates invoices, and the card form of the app. */
internal class SandboxMerchant {
    val baseUrl: String = environment("HOLDFAST_URL").trimEnd('/')
    val projectId: String = environment("HOLDFAST_PROJECT_ID")
    private val secretKey = environment("HOLDFAST_SECRET_KEY")
    private val http = HttpClient.newHttpClient()

    class CreatedInvoice(
        val id: String,
        val clientSecret: String,
    )

    fun createInvoice(
        channel: String = "android",
        customerId: String? = null,
        returnUrl: String? = "com.example.shop://checkout/return",
    ): CreatedInvoice {
        val response =
            post("/invoices", secretKey) {
                put("name", "Order 1")
                put("amount", "29.00")
                put("currency", "EUR")
                put("return_url", returnUrl)
                put("device", buildJsonObject { put("channel", channel) })
                customerId?.let { put("customer_id", it) }
            }
        val secret = response.headers().firstValue("X-Service-Client-Secret").orElseThrow()
        return CreatedInvoice(objectIn(response).sub("invoice").text("id"), secret)
    }

    /** What the merchant does with the payment: `void`, `capture`, `refunds`. */
    fun command(
        invoiceId: String,
        verb: String,
    ) {
        objectIn(post("/invoices/$invoiceId/$verb", secretKey) {})
    }

    fun createCustomer(): String = objectIn(post("/customers", secretKey) {}).sub("customer").text("id")

    /** As the card form does it, without a secret key. */
    fun createCard(number: String): String {
        val response =
            post("/cards", "") {
                put("number", number)
                put("exp_month", "12")
                put("exp_year", "2035")
                put("cvc2", "737")
            }
        return objectIn(response).sub("card").text("id")
    }

    fun invoice(
        id: String,
        expand: String = "transaction",
    ): JsonObject {
        val request = request("/invoices/$id?expand=$expand", secretKey).GET().build()
        return objectIn(http.send(request, HttpResponse.BodyHandlers.ofString())).sub("invoice")
    }

    private fun post(
        path: String,
        password: String,
        fields: JsonObjectBuilder.() -> Unit,
    ): HttpResponse<String> {
        val body = HttpRequest.BodyPublishers.ofString(buildJsonObject(fields).toString())
        val request = request(path, password).header("Content-Type", "application/json").POST(body).build()
        return http.send(request, HttpResponse.BodyHandlers.ofString())
    }

    private fun request(
        path: String,
        password: String,
    ): HttpRequest.Builder {
        val credentials = Base64.getEncoder().encodeToString("$projectId:$password".toByteArray())
        return HttpRequest.newBuilder(URI("$baseUrl$path")).header("Authorization", "Basic $credentials")
    }

    private fun objectIn(response: HttpResponse<String>): JsonObject {
        check(response.statusCode() == 200) { "The service answered with ${response.statusCode()}: ${response.body()}" }
        return Json.parseToJsonElement(response.body()).jsonObject
    }

    private fun environment(name: String) = checkNotNull(System.getenv(name)) { "$name is not set." }
}

/** A customer with a phone: what the native library would do, and a browser. */
internal class PlayedCustomer(
    private val challenge: () -> Boolean = { throw IllegalStateException("No challenge was expected.") },
    private val browser: (ThreeDSRedirect) -> String = { throw IllegalStateException("No page was expected.") },
) : ThreeDSService {
    val calls: MutableList<String> = Collections.synchronizedList(mutableListOf())

    override suspend fun authenticationRequest(configuration: ThreeDSConfiguration): ThreeDSAuthenticationRequest {
        calls += "authenticationRequest"
        val action = rowsOf("actions").first { it.text("name") == "native fingerprint" }
        return deviceDataOf(action.rows("next_sources")[0].sub("given"))
    }

    override suspend fun handle(challenge: ThreeDSChallenge): Boolean {
        calls += "challenge"
        return challenge()
    }

    override suspend fun handle(redirect: ThreeDSRedirect): String {
        calls += "redirect"
        return redirect.tokenFrom(browser(redirect))
    }

    override fun cleanup() {
        calls += "cleanup"
    }
}

/**
 * A browser without scripts that goes on to the `return_url`: it follows redirects, submits forms that submit
 * themselves, and enters the code where one is asked for.
 */
internal class BankBrowser(
    private val returnUrl: String,
    private val code: String,
) {
    private val http = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build()

    /** @return the address that would open the app. */
    fun open(url: String): String {
        var request = HttpRequest.newBuilder(URI(url)).GET().build()
        repeat(PAGES_MAX) {
            val response = http.send(request, HttpResponse.BodyHandlers.ofString())
            val html = response.body()
            val location = response.headers().firstValue("Location").orElse(null) ?: returnIn(html)
            if (location != null && location.startsWith(returnUrl)) return location
            request =
                if (location != null) HttpRequest.newBuilder(request.uri().resolve(location)).GET().build()
                else submitted(request.uri(), html)
        }
        error("The bank has more than $PAGES_MAX pages.")
    }

    private fun returnIn(html: String): String? {
        val place = Regex(Regex.escape(returnUrl) + "\\?[^\"'<>\\s]+").find(unescaped(html)) ?: return null
        return place.value
    }

    private fun submitted(
        at: URI,
        html: String,
    ): HttpRequest {
        val found = Regex("<form\\b[^>]*>", RegexOption.IGNORE_CASE).find(html)
        val form = checkNotNull(found) { "No form and no way on:\n$html" }
        val fields =
            Regex("<input\\b[^>]*>", RegexOption.IGNORE_CASE).findAll(html).map { it.value }.mapNotNull { input ->
                val name = attribute(input, "name") ?: return@mapNotNull null
                val type = attribute(input, "type").orEmpty()
                // Of several buttons a browser sends the one that was pressed; none is needed here.
                if (type == "submit" || type == "button") return@mapNotNull null
                val isEntered = type in listOf("", "text", "tel", "number", "password")
                name to if (isEntered) code else attribute(input, "value").orEmpty()
            }
        val body = fields.joinToString("&") { (name, value) -> "${encoded(name)}=${encoded(value)}" }
        val target = at.resolve(attribute(form.value, "action") ?: at.toString())
        if (attribute(form.value, "method").orEmpty().lowercase() != "post")
            return HttpRequest.newBuilder(URI("${target.toString().substringBefore('?')}?$body")).GET().build()
        return HttpRequest
            .newBuilder(target)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build()
    }

    private fun attribute(
        tag: String,
        name: String,
    ): String? =
        Regex("\\s$name\\s*=\\s*(\"([^\"]*)\"|'([^']*)')", RegexOption.IGNORE_CASE).find(tag)?.let { match ->
            unescaped(match.groupValues[1].substring(1, match.groupValues[1].length - 1))
        }

    private fun unescaped(text: String): String =
        text
            .replace("\\u0026", "&")
            .replace("\\/", "/")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")

    private fun encoded(text: String): String = URLEncoder.encode(text, "UTF-8")

    private companion object {
        const val PAGES_MAX = 20
    }
}
