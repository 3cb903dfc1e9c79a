package holdfast.android

import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.net.InetSocketAddress
import java.util.concurrent.Executors

/** A service that expects the requests of a fixture, in their order, and answers as it says. */
internal class ScriptedServer(
    private val exchanges: List<JsonObject>,
    private val clientSecret: String? = null,
) : AutoCloseable {
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
    private val threads = Executors.newCachedThreadPool()
    private val found = mutableListOf<String>()
    private val keys = mutableMapOf<String, String>()
    private var position = 0

    val baseUrl: String get() = "http://127.0.0.1:${server.address.port}"

    /** What was not as the fixture says; empty at best. */
    val problems: List<String>
        get() =
            synchronized(this) {
                val missing = exchanges.drop(position).filterNot { it.flag("repeats") }
                found + missing.map { "${it.text("method")} ${it.text("path")} was not requested." }
            }

    init {
        server.executor = threads
        server.createContext("/") { exchange ->
            val body = String(exchange.requestBody.readAllBytes(), Charsets.UTF_8)
            val expected = synchronized(this) { next().also { compare(exchange, body, it) } }
            answer(exchange, expected?.let(::answerOf))
        }
        server.start()
    }

    private fun next(): JsonObject? = exchanges.getOrNull(position)?.also { if (!it.flag("repeats")) position += 1 }

    private fun compare(
        exchange: HttpExchange,
        body: String,
        expected: JsonObject?,
    ) {
        val line = "${exchange.requestMethod} ${exchange.requestURI}"
        if (expected == null) {
            found += "$line was one request too many: $body"
            return
        }
        expect("request", "${expected.text("method")} ${expected.text("path")}", line)
        expect("Authorization", FIXTURES.sub("protocol").text("authorization"), header(exchange, "Authorization"))
        if (exchange.requestMethod != "POST") return
        expect("body", expected.text("body_text"), body)
        expect("Content-Type", "application/json", header(exchange, "Content-Type")?.substringBefore(';'))
        expect("client secret", clientSecret, header(exchange, "X-Service-Client-Secret"))
        compareKey(expected.text("key"), header(exchange, "Idempotency-Key"))
    }

    /** Requests with one label carry one key, and those with another label another one. */
    private fun compareKey(
        label: String,
        key: String?,
    ) {
        if (key.isNullOrEmpty()) found += "There is no Idempotency-Key."
        else if (label in keys) expect("key of round $label", keys[label], key)
        else if (key in keys.values) found += "The key of round $label was that of another round."
        else keys[label] = key
    }

    private fun expect(
        what: String,
        expected: String?,
        actual: String?,
    ) {
        if (expected != actual) found += "$what: expected $expected, but was $actual"
    }

    private fun header(
        exchange: HttpExchange,
        name: String,
    ): String? = exchange.requestHeaders.getFirst(name)

    private fun answer(
        exchange: HttpExchange,
        answer: JsonObject?,
    ) {
        // Without a header of the answer the connection ends as if the network had gone.
        if (answer != null && answer.flag("lost")) return exchange.close()
        val text = answer?.textOrNull("text") ?: answer?.get("body")?.toString() ?: "{}"
        (answer?.get("headers") as? JsonObject)?.forEach { (name, value) ->
            exchange.responseHeaders.add(name, value.jsonPrimitive.content)
        }
        // A connection that is kept would be tried again by OkHttp itself, which is no request of the library.
        exchange.responseHeaders.add("Connection", "close")
        val bytes = text.toByteArray()
        exchange.sendResponseHeaders(answer?.textOrNull("status")?.toInt() ?: 410, bytes.size.toLong())
        exchange.responseBody.use { it.write(bytes) }
    }

    override fun close() {
        server.stop(0)
        threads.shutdownNow()
    }
}

/** Short enough for a test, with as many attempts as the fixtures have. */
internal fun timingOfTests(
    fingerprintTimeoutMs: Long = 100,
    pollForMs: Long = 250,
) = Timing(
    attempts = FIXTURES.sub("flow_defaults").text("attempts").toInt(),
    firstPauseMs = 1,
    longestPauseMs = 2,
    longestRetryAfterMs = 5_000,
    requestTimeoutMs = 10_000,
    pollForMs = pollForMs,
    fingerprintTimeoutMs = fingerprintTimeoutMs,
)

internal fun clientOf(
    baseUrl: String,
    timing: Timing = timingOfTests(),
    applicationId: String? = null,
) = HoldfastClient(
    FIXTURES.sub("protocol").text("project_id"),
    baseUrl,
    ClientOptions(applicationId = applicationId, timing = timing),
)
