package holdfast.android

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import okhttp3.OkHttpClient
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable
import java.io.IOException
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean

/**
 * The library and a service that runs, with its simulator and the simulator's bank: `HOLDFAST_URL` says where, and
 * `HOLDFAST_PROJECT_ID` and `HOLDFAST_SECRET_KEY` are those of a sandbox project.
 */
@EnabledIfEnvironmentVariable(named = "HOLDFAST_URL", matches = "https?://.+")
class RunningServiceTest {
    private val merchant = SandboxMerchant()

    private fun client(http: OkHttpClient? = null) =
        HoldfastClient(
            merchant.projectId,
            merchant.baseUrl,
            ClientOptions(httpClient = http, timing = Timing(firstPauseMs = 50, pollForMs = 20_000)),
        )

    private fun pay(
        invoice: SandboxMerchant.CreatedInvoice,
        cardNumber: String,
        service: ThreeDSService,
        http: OkHttpClient? = null,
        authorizeOnly: Boolean? = null,
    ): AuthorizedInvoice =
        runBlocking {
            val source = merchant.createCard(cardNumber)
            val request = AuthorizationRequest(invoice.id, source, authorizeOnly = authorizeOnly)
            withTimeout(60_000) { client(http).invoices.authorize(request, service) }
        }

    private inline fun <reified T : PaymentException> failure(crossinline pay: () -> Unit): T =
        assertThrows(T::class.java) { pay() }

    @Test
    fun `a card without authentication is authorized, and captured where the app asks for it`() {
        val app = PlayedCustomer()
        assertEquals("authorized", pay(merchant.createInvoice(), PLAIN_CARD, app).transaction.status)
        val sale = pay(merchant.createInvoice(), PLAIN_CARD, app, authorizeOnly = false)
        assertEquals("completed", sale.transaction.status)
        assertEquals(listOf("cleanup", "cleanup"), app.calls)
    }

    @Test
    fun `a declined card leaves the invoice to another one`() {
        val invoice = merchant.createInvoice()
        val declined = failure<PaymentDeclined> { pay(invoice, DECLINED_CARD, PlayedCustomer()) }
        assertEquals("card.no-money", declined.errorType)
        assertEquals("authorized", pay(invoice, PLAIN_CARD, PlayedCustomer()).transaction.status)
    }

    @Test
    fun `a native fingerprint is enough for a frictionless authentication`() {
        val app = PlayedCustomer()
        assertEquals("authorized", pay(merchant.createInvoice(), FINGERPRINT_CARD, app).transaction.status)
        assertEquals(listOf("authenticationRequest", "cleanup"), app.calls)
    }

    @Test
    fun `a native challenge that is passed authorizes`() {
        val app = PlayedCustomer(challenge = { true })
        assertEquals("authorized", pay(merchant.createInvoice(), CHALLENGE_CARD, app).transaction.status)
        assertEquals(listOf("authenticationRequest", "challenge", "cleanup"), app.calls)
    }

    @Test
    fun `a native challenge that is failed or canceled charges nothing, and another card pays the invoice`() {
        val invoice = merchant.createInvoice()
        val failing = PlayedCustomer(challenge = { false })
        val failed = failure<AuthenticationFailed> { pay(invoice, CHALLENGE_CARD, failing) }
        assertEquals("card.failed-3ds", failed.errorType)
        val canceling = PlayedCustomer(challenge = { throw CustomerCanceled() })
        failure<PaymentCanceled> { pay(invoice, CHALLENGE_CARD, canceling) }
        assertEquals("failed", merchant.invoice(invoice.id).text("status"))
        assertEquals("authorized", pay(invoice, PLAIN_CARD, PlayedCustomer()).transaction.status)
    }

    @Test
    fun `a challenge in a browser session comes back by the return_url`() {
        val invoice = merchant.createInvoice(channel = "web")
        val app = PlayedCustomer(browser = { BankBrowser(it.returnUrl, code = "1234").open(it.url) })
        assertEquals("authorized", pay(invoice, CHALLENGE_CARD, app).transaction.status)
        assertEquals("cleanup", app.calls.last())
        assertEquals(setOf("redirect", "cleanup"), app.calls.toSet())
    }

    @Test
    fun `where the bank has no native way the app falls back to a browser session`() {
        val invoice = merchant.createInvoice()
        val app = PlayedCustomer(browser = { BankBrowser(it.returnUrl, code = "1234").open(it.url) })
        assertEquals("authorized", pay(invoice, VERSION_1_CARD, app).transaction.status)
        assertEquals(listOf("redirect", "cleanup"), app.calls)
    }

    @Test
    fun `a browser session that the customer closes charges nothing`() {
        val invoice = merchant.createInvoice(channel = "web")
        // The fingerprint is no window that the customer could close.
        val app =
            PlayedCustomer(browser = {
                if (it.timeoutSeconds == null) throw CustomerCanceled()
                BankBrowser(it.returnUrl, code = "1234").open(it.url)
            })
        failure<PaymentCanceled> { pay(invoice, CHALLENGE_CARD, app) }
        assertEquals("failed", merchant.invoice(invoice.id).text("status"))
    }

    @Test
    fun `an answer that is lost on its way is asked for again, and the bank is asked once`() {
        val isLost = AtomicBoolean()
        val http =
            OkHttpClient
                .Builder()
                .addInterceptor { chain ->
                    val response = chain.proceed(chain.request())
                    if (chain.request().method == "POST" && isLost.compareAndSet(false, true)) {
                        response.close()
                        throw IOException("The network is gone.")
                    }
                    response
                }.build()
        val invoice = merchant.createInvoice()
        assertEquals("authorized", pay(invoice, PLAIN_CARD, PlayedCustomer(), http).transaction.status)
        assertEquals(1, authorizationsOf(invoice))
    }

    @Test
    fun `answers that are lost in the middle of the authentication are asked for again, and it is charged once`() {
        val lost = ConcurrentHashMap.newKeySet<String>()
        val http =
            OkHttpClient
                .Builder()
                .addInterceptor { chain ->
                    val response = chain.proceed(chain.request())
                    val key = chain.request().header("Idempotency-Key")
                    if (key != null && lost.add(key)) {
                        response.close()
                        throw IOException("The network is gone.")
                    }
                    response
                }.build()
        val invoice = merchant.createInvoice()
        val app = PlayedCustomer(challenge = { true })
        assertEquals("authorized", pay(invoice, CHALLENGE_CARD, app, http).transaction.status)
        assertEquals(listOf("authenticationRequest", "challenge", "cleanup"), app.calls)
        assertEquals(3, lost.size)
        assertEquals(1, authorizationsOf(invoice))
    }

    @Test
    fun `an app that was killed while its customer was at the bank takes the payment up again`() {
        val invoice = merchant.createInvoice(channel = "web")
        val request = AuthorizationRequest(invoice.id, merchant.createCard(CHALLENGE_CARD))
        val page = checkNotNull(killedInStep(request))
        // The browser is a program of its own, and opens the app again.
        val opened = BankBrowser(page.returnUrl, code = "1234").open(page.url)
        val restarted =
            PlayedCustomer(browser = { redirect ->
                assertTrue(redirect.isEndedBy(opened))
                opened
            })
        val paid = runBlocking { client().invoices.authorize(request, restarted) }
        assertEquals("authorized", paid.transaction.status)
        assertEquals(listOf("redirect", "cleanup"), restarted.calls)
        assertEquals(1, authorizationsOf(invoice))
    }

    @Test
    fun `an app that was killed in a native challenge begins the authentication anew`() {
        val invoice = merchant.createInvoice()
        val request = AuthorizationRequest(invoice.id, merchant.createCard(CHALLENGE_CARD))
        assertNull(killedInStep(request))
        // The native library of the next process knows nothing of that challenge.
        val restarted = PlayedCustomer(challenge = { throw IllegalStateException("There is no transaction.") })
        failure<AuthenticationFailed> { runBlocking { client().invoices.authorize(request, restarted) } }
        assertEquals(listOf("challenge", "cleanup"), restarted.calls)
        val again = PlayedCustomer(challenge = { true })
        val paid = runBlocking { client().invoices.authorize(request, again) }
        assertEquals("authorized", paid.transaction.status)
        assertEquals(listOf("authenticationRequest", "challenge", "cleanup"), again.calls)
    }

    /** Pays until the customer's step, in which the app dies. Null if the step is no page. */
    private fun killedInStep(request: AuthorizationRequest): ThreeDSRedirect? =
        runBlocking {
            val app = DyingApp()
            val call = async { client().invoices.authorize(request, app) }
            app.step.await().also { call.cancelAndJoin() }
        }

    private class DyingApp : ThreeDSService by PlayedCustomer() {
        val step = CompletableDeferred<ThreeDSRedirect?>()

        override suspend fun handle(challenge: ThreeDSChallenge): Boolean {
            step.complete(null)
            awaitCancellation()
        }

        override suspend fun handle(redirect: ThreeDSRedirect): String {
            step.complete(redirect)
            awaitCancellation()
        }
    }

    @Test
    fun `another device is refused while the first customer authenticates, and nothing is paid twice`() {
        val invoice = merchant.createInvoice()
        val inChallenge = CountDownLatch(1)
        val passed = CountDownLatch(1)
        val first =
            PlayedCustomer(challenge = {
                inChallenge.countDown()
                passed.await(30, TimeUnit.SECONDS)
            })
        runBlocking {
            val paying = async(Dispatchers.IO) { pay(invoice, CHALLENGE_CARD, first) }
            withContext(Dispatchers.IO) { inChallenge.await(30, TimeUnit.SECONDS) }
            failure<PaymentInProgress> { pay(invoice, PLAIN_CARD, PlayedCustomer()) }
            passed.countDown()
            assertEquals("authorized", paying.await().transaction.status)
        }
        assertEquals("authorized", pay(invoice, PLAIN_CARD, PlayedCustomer()).transaction.status)
        assertEquals(1, authorizationsOf(invoice))
    }

    @Test
    fun `a payment that the merchant has voided or refunded since is no success`() {
        for (verbs in listOf(listOf("void"), listOf("capture", "refunds"))) {
            val invoice = merchant.createInvoice()
            pay(invoice, PLAIN_CARD, PlayedCustomer())
            verbs.forEach { merchant.command(invoice.id, it) }
            failure<InvalidRequest> { pay(invoice, PLAIN_CARD, PlayedCustomer()) }
            assertEquals(1, authorizationsOf(invoice))
        }
    }

    @Test
    fun `an invoice without a way back to the app is refused before anything has begun`() {
        val invoice = merchant.createInvoice(returnUrl = null)
        failure<InvalidRequest> { pay(invoice, PLAIN_CARD, PlayedCustomer()) }
        assertEquals(JsonNull, merchant.invoice(invoice.id)["transaction"])
    }

    @Test
    fun `a double tap pays once`() {
        val invoice = merchant.createInvoice()
        val app = PlayedCustomer(challenge = { true })
        val client = client()
        runBlocking {
            val request = AuthorizationRequest(invoice.id, merchant.createCard(CHALLENGE_CARD))
            val calls = List(2) { async { client.invoices.authorize(request, app) } }
            assertEquals(1, calls.map { it.await() }.toSet().size)
        }
        assertEquals(1, authorizationsOf(invoice))
    }

    @Test
    fun `a card is saved with the client secret of its invoice, and not with that of another`() {
        val customerId = merchant.createCustomer()
        val invoice = merchant.createInvoice(customerId = customerId)
        val other = merchant.createInvoice(customerId = customerId)
        val save = { secret: String ->
            runBlocking {
                val source = merchant.createCard(PLAIN_CARD)
                val request = AuthorizationRequest(invoice.id, source, clientSecret = secret, saveSource = true)
                client().invoices.authorize(request, PlayedCustomer())
            }
        }
        failure<InvalidRequest> { save(other.clientSecret) }
        assertNotNull(save(invoice.clientSecret).customerTokenId)
    }

    @Test
    fun `an invoice is read, and one that is not there is an invalid request`() =
        runBlocking {
            val invoice = merchant.createInvoice()
            val found = client().invoices.find(invoice.id)
            assertEquals("pending", found.status)
            assertEquals("29.00", found.amount)
            assertNull(found.transaction)
            val missing = runCatching { client().invoices.find("iv_thatisnotthere") }.exceptionOrNull()
            assertInstanceOf(InvalidRequest::class.java, missing)
            Unit
        }

    /** How often the gateway was asked; each has an attempt and a result. */
    private fun authorizationsOf(invoice: SandboxMerchant.CreatedInvoice): Int =
        merchant
            .invoice(invoice.id, expand = "transaction.operations")
            .sub("transaction")
            .getValue("operations")
            .jsonArray
            .map { it.jsonObject }
            .count { it.text("type") == "authorization" && it.flag("is_attempt") }
}

private const val PLAIN_CARD = "4242424242424242"
private const val DECLINED_CARD = "4000000000002206"
private const val FINGERPRINT_CARD = "4000000000003063"
private const val CHALLENGE_CARD = "4000000000000101"
private const val VERSION_1_CARD = "4000000000003246"
