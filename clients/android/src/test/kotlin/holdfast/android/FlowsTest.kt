package holdfast.android

import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory
import kotlin.system.measureTimeMillis

/** Every payment of the fixtures, against a server that expects exactly their requests. */
class FlowsTest {
    private val defaults = FIXTURES.sub("flow_defaults")

    @TestFactory
    fun flows(): List<DynamicTest> = rowsOf("flows").map { flow -> dynamicTest(flow.text("name")) { play(flow) } }

    private fun play(flow: JsonObject) {
        val secret = flow.sub("request").textOrNull("client_secret")
        ScriptedServer(listOf(readInvoice(flow)) + flow.rows("exchanges"), secret).use { server ->
            val service = ScriptedService(flow.sub("service"))
            val elapsedMs = measureTimeMillis { assertEquals(expected(flow), outcome(server, flow, service)) }
            assertEquals(emptyList<String>(), server.problems)
            assertEquals(flow.texts("calls"), service.calls)
            val atLeastMs = flow.textOrNull("waits_seconds")?.let { it.toLong() * 1000 } ?: 0
            assertTrue(elapsedMs >= atLeastMs, "It took $elapsedMs ms.")
        }
    }

    private fun outcome(
        server: ScriptedServer,
        flow: JsonObject,
        service: ThreeDSService,
    ): Map<String, String?> =
        runBlocking {
            val given = flow.sub("request")
            val options = JsonObject(given + ("source" to JsonPrimitive(defaults.sub("request").text("source"))))
            val request = requestOf("iv_fixture", options, given.textOrNull("client_secret"))
            try {
                val paid = withTimeout(10_000) { clientOf(server.baseUrl).invoices.authorize(request, service) }
                mapOf("status" to paid.transaction.status, "token" to paid.customerTokenId)
            } catch (error: PaymentException) {
                assertTellsNothing(error)
                val retryAfter = (error as? TryLater)?.retryAfterSeconds?.takeIf { it > 0 }
                mapOf("kind" to kindOf(error), "type" to error.errorType, "retry after" to retryAfter?.toString())
            }
        }

    private fun expected(flow: JsonObject): Map<String, String?> {
        val result = flow.sub("result")
        if (result.text("kind") == "paid")
            return mapOf("status" to result.text("status"), "token" to result.textOrNull("customer_token_id"))
        return mapOf(
            "kind" to result.text("kind"),
            "type" to result.textOrNull("error_type"),
            "retry after" to result.textOrNull("retry_after_seconds"),
        )
    }

    /** The request with which every payment begins. */
    private fun readInvoice(flow: JsonObject): JsonObject {
        val invoice = JsonObject(defaults.sub("invoice") + flow.sub("invoice"))
        val body = JsonObject(mapOf("success" to JsonPrimitive(true), "invoice" to invoice))
        return JsonObject(
            mapOf(
                "method" to JsonPrimitive("GET"),
                "path" to JsonPrimitive("/invoices/iv_fixture?expand=transaction"),
                "answer" to JsonObject(mapOf("status" to JsonPrimitive(200), "body" to body)),
            ),
        )
    }

    private fun assertTellsNothing(error: Throwable) {
        val everything = error.stackTraceToString()
        for (secret in listOf("card_fixture", "ivs_fixture", SOURCE_PREFIX, "c2lnbmF0dXJl", "ZGV2aWNl"))
            assertFalse(secret in everything, "It tells $secret.")
    }

    @TestFactory
    fun `an error is told by what the app does about it`(): List<DynamicTest> =
        rowsOf("errors").map { row ->
            dynamicTest("${row.text("status")} ${row.text("error_type")}") {
                val answer = WireAnswer(success = false, errorType = row.text("error_type"), message = "No.")
                assertEquals(row.text("kind"), kindOf(failureOf(row.text("status").toInt(), answer, null)))
            }
        }
}
