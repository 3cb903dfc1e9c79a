package holdfast.android

import kotlinx.coroutines.delay
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import okhttp3.Call
import okhttp3.Callback
import okhttp3.Credentials
import okhttp3.HttpUrl
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.Response
import java.io.IOException
import java.util.concurrent.TimeUnit
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.random.Random

/** What the service says to a request to pay. A no is a [PaymentException]. */
internal sealed interface PaymentAnswer {
    class Paid(
        val transaction: Transaction,
        val customerTokenId: String?,
    ) : PaymentAnswer

    /** The outcome comes later, and the customer has nothing to do. */
    class Open(
        val transaction: Transaction?,
    ) : PaymentAnswer

    class Asks(
        val action: CustomerAction,
    ) : PaymentAnswer
}

/** A request was repeated until its time was up, and at least one of its attempts may have arrived. */
internal class Unanswered(
    cause: IOException?,
) : Exception("The service did not answer.", cause)

/** The two requests of the library, each repeated while the connection fails. */
internal class Api(
    private val baseUrl: HttpUrl,
    projectId: String,
    http: OkHttpClient,
    private val timing: Timing,
) {
    private val http =
        http
            .newBuilder()
            // A redirect would hand the request to somebody else.
            .followRedirects(false)
            .followSslRedirects(false)
            .callTimeout(timing.requestTimeoutMs, TimeUnit.MILLISECONDS)
            .readTimeout(timing.requestTimeoutMs, TimeUnit.MILLISECONDS)
            .build()
    private val authorization = Credentials.basic(projectId, "")

    /** @throws Unanswered if it could not be read. */
    suspend fun invoice(
        invoiceId: String,
        attempts: Int = timing.attempts,
    ): Invoice {
        val address =
            addressOf(invoiceId).addQueryParameter("expand", "transaction").build()
        val answered = send(Request.Builder().url(address), attempts) { it.invoice != null }
        return checkNotNull(answered.body.invoice).invoice()
    }

    /**
     * Asks for the authorization, with the same key in every attempt: the service carries it out once.
     *
     * @throws Unanswered if it may have arrived and no answer came.
     */
    suspend fun authorize(
        request: AuthorizationRequest,
        source: String,
        idempotencyKey: String,
        attempts: Int = timing.attempts,
    ): PaymentAnswer {
        val body = Json.encodeToString(JsonObject.serializer(), request.bodyWith(source))
        val post =
            Request
                .Builder()
                .url(addressOf(request.invoiceId).addPathSegment("authorize").build())
                .header("Idempotency-Key", idempotencyKey)
                .post(body.toRequestBody(JSON))
        request.clientSecret?.let { post.header("X-Service-Client-Secret", it) }
        return paymentAnswerOf(send(post, attempts) { isAboutPayment(it) }.body)
    }

    private fun addressOf(invoiceId: String): HttpUrl.Builder =
        baseUrl.newBuilder().addPathSegment("invoices").addPathSegment(invoiceId)

    /**
     * Sends the request until it is answered.
     *
     * @param isExpected whether the body of a success is the one that was asked for.
     * @throws PaymentException for an answer that says no.
     */
    private suspend fun send(
        builder: Request.Builder,
        attempts: Int,
        isExpected: (WireAnswer) -> Boolean,
    ): Attempt.Answered {
        val request = builder.header("Authorization", authorization).header("Accept", "application/json").build()
        var mayHaveArrived = false
        for (number in 1..attempts) {
            val attempt = attempt(request, isExpected)
            if (attempt is Attempt.Answered) return attempt
            attempt as Attempt.Failed
            mayHaveArrived = mayHaveArrived || attempt.mayHaveArrived
            val retryAfterMs = attempt.retryAfterSeconds?.let(TimeUnit.SECONDS::toMillis)
            val isTooLong = retryAfterMs != null && retryAfterMs > timing.longestRetryAfterMs
            if (number == attempts || isTooLong) {
                if (mayHaveArrived || attempt.refusal == null) throw Unanswered(attempt.cause)
                throw attempt.refusal
            }
            delay(maxOf(retryAfterMs ?: 0, pauseAfter(number)))
        }
        error("There is at least one attempt.")
    }

    /** Between half of the pause and all of it, so that apps that lost the service together do not return together. */
    private fun pauseAfter(number: Int): Long {
        val doubled = timing.firstPauseMs shl minOf(number - 1, MOST_DOUBLINGS)
        val pause = minOf(doubled, timing.longestPauseMs)
        return pause - Random.nextLong(pause / 2 + 1)
    }

    private suspend fun attempt(
        request: Request,
        isExpected: (WireAnswer) -> Boolean,
    ): Attempt {
        val reply =
            try {
                exchange(request)
            } catch (lost: IOException) {
                return Attempt.Failed(cause = lost)
            }
        val body = readAs<WireAnswer>(reply.text)
        // Networks with a page of their own to log in answer for the service, and with its statuses.
        if (body == null || (body.success && (!reply.isSuccessful || !isExpected(body)))) return Attempt.Failed()
        if (body.success) return Attempt.Answered(body)
        val refusal = failureOf(reply.status, body, reply.retryAfterSeconds)
        return when (reply.status) {
            in PASSING -> {
                val isNothingDone = body.errorType in NOTHING_DONE
                Attempt.Failed(refusal, reply.retryAfterSeconds, mayHaveArrived = !isNothingDone)
            }
            TOO_MANY_REQUESTS ->
                if (body.errorType == TOO_MANY_FAILURES) throw refusal
                else Attempt.Failed(refusal, reply.retryAfterSeconds, mayHaveArrived = false)
            CONFLICT ->
                if (body.errorType != STILL_PROCESSING) throw refusal else Attempt.Failed(null, reply.retryAfterSeconds)
            else -> throw refusal
        }
    }

    private suspend fun exchange(request: Request): Reply =
        suspendCancellableCoroutine { continuation ->
            val call = http.newCall(request)
            continuation.invokeOnCancellation { call.cancel() }
            call.enqueue(
                object : Callback {
                    override fun onFailure(
                        call: Call,
                        e: IOException,
                    ) = continuation.resumeWithException(e)

                    override fun onResponse(
                        call: Call,
                        response: Response,
                    ) = try {
                        continuation.resume(response.use(::readReply))
                    } catch (lost: IOException) {
                        continuation.resumeWithException(lost)
                    }
                },
            )
        }

    private fun readReply(response: Response): Reply {
        val retryAfter = response.header("Retry-After")?.toLongOrNull()?.takeIf { it >= 0 }
        return Reply(response.code, response.isSuccessful, retryAfter, response.body.string())
    }

    private class Reply(
        val status: Int,
        val isSuccessful: Boolean,
        val retryAfterSeconds: Long?,
        val text: String,
    )

    private sealed interface Attempt {
        class Answered(
            val body: WireAnswer,
        ) : Attempt

        /** Worth another attempt. */
        class Failed(
            /** What the service said, if it did nothing. */
            val refusal: PaymentException? = null,
            val retryAfterSeconds: Long? = null,
            val mayHaveArrived: Boolean = true,
            val cause: IOException? = null,
        ) : Attempt
    }
}

private val JSON = "application/json".toMediaType()

/** More would not fit; the longest pause is reached long before. */
private const val MOST_DOUBLINGS = 20

private const val CONFLICT = 409

/** Too late to read the request, and errors of the service or of what stands in front of it. */
private val PASSING = setOf(408, 500, 502, 503, 504)

/** The service says that it has not begun. */
private val NOTHING_DONE = setOf("request.timeout", "request.not-started")

/** The first request with the key is under way. */
private const val STILL_PROCESSING = "request.still-processing"

/** Whoever tries cards gets it; another attempt makes it worse. */
private const val TOO_MANY_FAILURES = "request.rate.too-many-failures"

/** The payment was made and is no more, which is no success for the customer. */
private val GIVEN_BACK = setOf("voided", "refunded")

private fun isAboutPayment(body: WireAnswer): Boolean =
    when (body.outcome) {
        "success" -> body.transaction != null
        "pending" -> true
        else -> false
    }

private fun paymentAnswerOf(body: WireAnswer): PaymentAnswer {
    val action = body.customerAction
    val transaction = body.transaction?.transaction()
    return when {
        action != null -> PaymentAnswer.Asks(readAction(action.type, action.value))
        transaction != null && transaction.status in GIVEN_BACK -> throw invoiceIsOver(transaction.status)
        body.outcome == "success" -> PaymentAnswer.Paid(checkNotNull(transaction), body.customerTokenId)
        else -> PaymentAnswer.Open(transaction)
    }
}
