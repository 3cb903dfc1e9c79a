package holdfast.android

import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.isActive
import kotlinx.coroutines.suspendCancellableCoroutine
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.coroutines.Continuation
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException

/** The service of an app that is written in Java. */
internal class CallbackService(
    val callbacks: ThreeDSCallbacks,
) : ThreeDSService {
    override suspend fun authenticationRequest(configuration: ThreeDSConfiguration): ThreeDSAuthenticationRequest =
        answered { callbacks.authenticationRequest(configuration, it) }

    override suspend fun handle(challenge: ThreeDSChallenge): Boolean = answered { callbacks.handle(challenge, it) }

    override suspend fun handle(redirect: ThreeDSRedirect): String = answered { callbacks.handle(redirect, it) }

    override fun cleanup() = callbacks.cleanup()

    private suspend fun <T> answered(ask: (ThreeDSCallbacks.Step<T>) -> Unit): T =
        suspendCancellableCoroutine { continuation -> ask(FirstAnswer(continuation)) }
}

/** Java wraps the same callbacks anew with every call. */
internal fun ThreeDSService.isSameAs(other: ThreeDSService): Boolean =
    this === other || (this is CallbackService && other is CallbackService && callbacks === other.callbacks)

private class FirstAnswer<T>(
    private val continuation: CancellableContinuation<T>,
) : ThreeDSCallbacks.Step<T> {
    private val isAnswered = AtomicBoolean()

    override fun done(result: T) = answer { it.resume(result) }

    override fun canceled() = answer { it.resumeWithException(CustomerCanceled()) }

    override fun failed(error: Exception) = answer { it.resumeWithException(error) }

    override fun whenAbandoned(close: Runnable) = continuation.invokeOnCancellation { close.run() }

    private fun answer(resume: (Continuation<T>) -> Unit) {
        if (isAnswered.compareAndSet(false, true)) resume(continuation)
    }
}

internal suspend fun isCanceled(): Boolean = !currentCoroutineContext().isActive

/** What nobody has foreseen leaves open what became of the payment. */
internal fun AuthorizationCallback.report(ended: Result<AuthorizedInvoice>) =
    ended.fold({ onSuccess(it) }, { onError(it as? PaymentException ?: ConnectionLost("The library has failed.", it)) })
