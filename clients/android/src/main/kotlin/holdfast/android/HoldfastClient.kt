package holdfast.android

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import okhttp3.HttpUrl
import okhttp3.HttpUrl.Companion.toHttpUrlOrNull
import okhttp3.OkHttpClient

/**
 * The payment service as an app uses it. One client lives as long as the app: it knows which payments are under way.
 *
 * An app holds no secret key. The merchant's server creates the invoice and hands its id to the app.
 *
 * @param projectId `proj_…`, or `test-proj_…` in the sandbox.
 * @param baseUrl where the service is, such as `https://api.example.com`. Plain `http` is accepted for this machine
 * only, and for `10.0.2.2`, by which the emulator reaches it.
 * @throws IllegalArgumentException for a secret key in place of the project id, and for an address without TLS.
 */
public class HoldfastClient
    @JvmOverloads
    constructor(
        projectId: String,
        baseUrl: String,
        options: ClientOptions = ClientOptions(),
    ) {
        public val invoices: Invoices

        init {
            require(PROJECT_ID.matches(projectId)) {
                "projectId has to be proj_… or test-proj_…. A secret key must never be in an app."
            }
            val scope = CoroutineScope(SupervisorJob() + options.dispatcher)
            val api = Api(addressOf(baseUrl), projectId, options.httpClient ?: OkHttpClient(), options.timing)
            invoices = Invoices(api, options, scope)
        }
    }

/** What an app may choose. */
public class ClientOptions
    @JvmOverloads
    constructor(
        /** The `applicationId` of the app. If given, the `return_url` of every invoice must be of this app. */
        public val applicationId: String? = null,
        /** Shares connections with the rest of the app. Redirects are never followed, whatever it says. */
        public val httpClient: OkHttpClient? = null,
        /** Where the library and the app's `ThreeDSService` run; the service goes to the main thread by itself. */
        public val dispatcher: CoroutineDispatcher = Dispatchers.Default,
        public val timing: Timing = Timing(),
    )

/** How long the library waits. The defaults suit a customer who looks at the screen. */
public class Timing
    @JvmOverloads
    constructor(
        /** How often one request is sent before the library asks what became of it. */
        public val attempts: Int = 4,
        /** The longest pause before the second attempt; it doubles with each further one. */
        public val firstPauseMs: Long = 500,
        public val longestPauseMs: Long = 8_000,
        /** A `Retry-After` beyond this ends the call with [TryLater]. */
        public val longestRetryAfterMs: Long = 30_000,
        /** Of one request. The service answers within 30 s. */
        public val requestTimeoutMs: Long = 40_000,
        /** How long an open outcome is asked for before [PaymentPending]. */
        public val pollForMs: Long = 60_000,
        /** Of a fingerprint in a browser session. Source: EMVCo's specification of 3-D Secure 2. */
        public val fingerprintTimeoutMs: Long = 10_000,
    )

private val PROJECT_ID = Regex("(test-)?proj_[A-Za-z0-9_-]+")

/** Hosts that only this machine answers for; the last one is what the emulator calls it. */
private val LOCAL_HOSTS = setOf("localhost", "127.0.0.1", "::1", "10.0.2.2")

private fun addressOf(baseUrl: String): HttpUrl {
    val address = requireNotNull(baseUrl.toHttpUrlOrNull()) { "baseUrl is no web address." }
    require(address.isHttps || address.host in LOCAL_HOSTS) { "baseUrl has to begin with https." }
    require(address.username.isEmpty() && address.password.isEmpty()) { "baseUrl has to be without credentials." }
    return address
}
