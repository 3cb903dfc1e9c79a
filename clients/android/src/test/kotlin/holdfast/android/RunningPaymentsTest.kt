package holdfast.android

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Test
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executor
import java.util.concurrent.atomic.AtomicInteger

/** Two calls for one invoice, and calls that are canceled. */
class RunningPaymentsTest {
    private val request = AuthorizationRequest("iv_fixture", "card_fixture")

    private fun exchangesOf(flow: String): List<JsonObject> =
        rowsOf("flows").first { it.text("name") == flow }.rows("exchanges")

    private fun readInvoice(): JsonObject {
        val invoice = FIXTURES.sub("flow_defaults").sub("invoice")
        val body = JsonObject(mapOf("success" to JsonPrimitive(true), "invoice" to invoice))
        return JsonObject(
            mapOf(
                "method" to JsonPrimitive("GET"),
                "path" to JsonPrimitive("/invoices/iv_fixture?expand=transaction"),
                "answer" to JsonObject(mapOf("status" to JsonPrimitive(200), "body" to body)),
            ),
        )
    }

    /** Shows a challenge until the test lets it end. */
    private class OpenChallenge : ThreeDSService {
        val isShown = CompletableDeferred<Unit>()
        val result = CompletableDeferred<Boolean>()
        val cleanups = AtomicInteger()

        override suspend fun authenticationRequest(configuration: ThreeDSConfiguration) = awaitCancellation()

        override suspend fun handle(challenge: ThreeDSChallenge): Boolean {
            isShown.complete(Unit)
            return result.await()
        }

        override suspend fun handle(redirect: ThreeDSRedirect) = awaitCancellation()

        override fun cleanup() {
            cleanups.incrementAndGet()
        }
    }

    private fun withChallenge(test: suspend CoroutineScope.(Invoices, OpenChallenge, ScriptedServer) -> Unit) {
        // One challenge, and the service is told that it was passed.
        val exchanges = exchangesOf("pending after a challenge")
        val last = JsonObject(exchanges[1] + ("answer" to JsonPrimitive("authorized")))
        ScriptedServer(listOf(readInvoice(), exchanges[0], last)).use { server ->
            runBlocking {
                withTimeout(10_000) { test(clientOf(server.baseUrl).invoices, OpenChallenge(), server) }
            }
        }
    }

    private suspend fun errorOf(call: suspend () -> Unit): Throwable? = runCatching { call() }.exceptionOrNull()

    private suspend fun eventually(holds: () -> Boolean) {
        while (!holds()) delay(5)
    }

    @Test
    fun `a second call of the same payment joins the first`() =
        withChallenge { invoices, service, server ->
            val other = OpenChallenge()
            val first = async { invoices.authorize(request, service) }
            service.isShown.await()
            val second = async { invoices.authorize(request.copy(), service) }
            val third = async { invoices.authorize(request.copy(), other) }
            delay(20)
            service.result.complete(true)
            assertSame(first.await(), second.await())
            assertSame(first.await(), third.await())
            eventually { service.cleanups.get() > 0 && other.cleanups.get() > 0 }
            assertEquals(1, service.cleanups.get())
            assertEquals(1, other.cleanups.get())
            assertEquals(emptyList<String>(), server.problems)
        }

    @Test
    fun `another card for an invoice that is being paid is refused at once`() =
        withChallenge { invoices, service, server ->
            val other = OpenChallenge()
            val first = async { invoices.authorize(request, service) }
            service.isShown.await()
            val another = AuthorizationRequest("iv_fixture", "card_other")
            assertInstanceOf(PaymentInProgress::class.java, errorOf { invoices.authorize(another, other) })
            // The service of the payment that is under way is still needed.
            assertInstanceOf(PaymentInProgress::class.java, errorOf { invoices.authorize(another, service) })
            assertEquals(1, other.cleanups.get())
            assertEquals(0, service.cleanups.get())
            service.result.complete(true)
            assertEquals("authorized", first.await().transaction.status)
            assertEquals(emptyList<String>(), server.problems)
        }

    @Test
    fun `a payment goes on as long as somebody waits for it`() =
        withChallenge { invoices, service, server ->
            val first = async { invoices.authorize(request, service) }
            service.isShown.await()
            val second = async { invoices.authorize(request, service) }
            delay(20)
            first.cancelAndJoin()
            assertEquals(0, service.cleanups.get())
            service.result.complete(true)
            assertEquals("authorized", second.await().transaction.status)
            assertEquals(1, service.cleanups.get())
            assertEquals(emptyList<String>(), server.problems)
        }

    @Test
    fun `a payment that nobody waits for ends without a word to the service, so that it can be taken up again`() =
        withChallenge { invoices, service, server ->
            val only = async { invoices.authorize(request, service) }
            service.isShown.await()
            only.cancelAndJoin()
            eventually { service.cleanups.get() == 1 }
            assertEquals(
                listOf("POST /invoices/iv_fixture/authorize was not requested."),
                server.problems,
            )
        }

    @Test
    fun `a call that is canceled before it has begun cleans up, too`() {
        val waiting = ConcurrentLinkedQueue<Runnable>()
        val busy = Executor { waiting += it }.asCoroutineDispatcher()
        val client = HoldfastClient("proj_a", "http://127.0.0.1:9", ClientOptions(dispatcher = busy))
        val service = OpenChallenge()
        runBlocking {
            val call = async(start = CoroutineStart.UNDISPATCHED) { client.invoices.authorize(request, service) }
            call.cancelAndJoin()
        }
        generateSequence { waiting.poll() }.forEach { it.run() }
        assertEquals(1, service.cleanups.get())
    }

    @Test
    fun `a fingerprint page that does not let itself be interrupted holds up nothing`() {
        val flow = rowsOf("flows").first { it.text("name") == "fingerprint in a browser session, timed out" }
        ScriptedServer(listOf(readInvoice()) + flow.rows("exchanges")).use { server ->
            val stubborn =
                object : ThreeDSService by ScriptedService() {
                    override suspend fun handle(redirect: ThreeDSRedirect): String {
                        Thread.sleep(2_000)
                        return "gway_req_late"
                    }
                }
            val paid =
                runBlocking {
                    withTimeout(1_500) { clientOf(server.baseUrl).invoices.authorize(request, stubborn) }
                }
            assertEquals("authorized", paid.transaction.status)
            assertEquals(emptyList<String>(), server.problems)
        }
    }

    @Test
    fun `an app id that is not that of the return_url is found before anything is paid`() {
        ScriptedServer(listOf(readInvoice())).use { server ->
            val invoices = clientOf(server.baseUrl, applicationId = "com.example.other").invoices
            val service = OpenChallenge()
            val error = runBlocking { errorOf { invoices.authorize(request, service) } }
            assertInstanceOf(InvalidRequest::class.java, error)
            assertEquals(1, service.cleanups.get())
            assertEquals(emptyList<String>(), server.problems)
        }
    }
}
