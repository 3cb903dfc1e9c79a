package holdfast.android

import holdfast.android.ThreeDSCallbacks.Step

/**
 * What the app does for 3-D Secure: it wraps a certified native library, and opens browser sessions. The library
 * calls one method at a time, from its own threads.
 *
 * A method throws [CustomerCanceled] if the customer closes the window or aborts. Any other exception ends the
 * payment with [AuthenticationFailed].
 */
public interface ThreeDSService {
    /** Has the native library collect the data about the device. */
    public suspend fun authenticationRequest(configuration: ThreeDSConfiguration): ThreeDSAuthenticationRequest

    /**
     * Has the native library show the challenge.
     *
     * @return whether the customer was authenticated.
     */
    public suspend fun handle(challenge: ThreeDSChallenge): Boolean

    /**
     * Opens a browser session at the address, and waits until it opens the invoice's `return_url`.
     *
     * @return the token of that address, by [ThreeDSRedirect.tokenFrom]; empty if it has none.
     */
    public suspend fun handle(redirect: ThreeDSRedirect): String

    /** Frees everything. It is called once for each call of `authorize`, however that ended. */
    public fun cleanup()
}

/** The same for Java: every step is answered through its [Step], once, from any thread. */
public interface ThreeDSCallbacks {
    public fun authenticationRequest(
        configuration: ThreeDSConfiguration,
        step: Step<ThreeDSAuthenticationRequest>,
    )

    public fun handle(
        challenge: ThreeDSChallenge,
        step: Step<Boolean>,
    )

    public fun handle(
        redirect: ThreeDSRedirect,
        step: Step<String>,
    )

    public fun cleanup()

    /** How a step ended. Only the first answer counts. */
    public interface Step<T> {
        public fun done(result: T)

        public fun canceled()

        public fun failed(error: Exception)

        /** Runs this if nobody waits for the answer any more: close what is open. To be called at most once. */
        public fun whenAbandoned(close: Runnable)
    }
}

/** The customer has closed the window or aborted. */
public class CustomerCanceled : Exception("The customer has canceled.")

/** What the native library needs to collect data about the device. */
public data class ThreeDSConfiguration(
    val directoryServerId: String,
    val directoryServerPublicKey: String,
    val directoryServerRootCAs: List<String>,
    val threeDSServerTransactionId: String,
    val messageVersion: String,
    /** Such as `visa`; null if the service does not say. */
    val scheme: String?,
) {
    override fun toString(): String = "ThreeDSConfiguration(messageVersion=$messageVersion)"
}

/** What the native library has collected about the device. */
public data class ThreeDSAuthenticationRequest(
    /** Encrypted by the native library. */
    val deviceData: String,
    val sdkAppId: String,
    /** A JSON Web Key, as the native library gives it. */
    val sdkEphemeralPublicKey: String,
    val sdkReferenceNumber: String,
    val sdkTransactionId: String,
) {
    override fun toString(): String = "ThreeDSAuthenticationRequest"
}

/** What the native library needs to show the challenge. */
public data class ThreeDSChallenge(
    val acsTransactionId: String,
    val acsReferenceNumber: String,
    val acsSignedContent: String,
    val threeDSServerTransactionId: String,
) {
    override fun toString(): String = "ThreeDSChallenge"
}

/** A page of the bank, to be opened in a browser session of its own. */
public data class ThreeDSRedirect(
    val url: String,
    /** After this time the library goes on without an answer and cancels the call; null if there is no limit. */
    val timeoutSeconds: Int?,
    /** Where the session ends: the invoice's `return_url`. */
    val returnUrl: String,
    val invoiceId: String,
) {
    /** Whether the address that the app was opened with ends this session. Any app may open any address. */
    public fun isEndedBy(opened: String): Boolean = returnOf(opened) != null

    /**
     * The token of the address that the app was opened with; empty if it has none, or one that is no token.
     *
     * @throws IllegalArgumentException for an address that does not end this session.
     */
    public fun tokenFrom(opened: String): String =
        requireNotNull(returnOf(opened)) { "The address is not the return_url of the invoice." }

    private fun returnOf(opened: String): String? = tokenOfReturn(returnUrl, opened, invoiceId)

    override fun toString(): String = "ThreeDSRedirect(timeoutSeconds=$timeoutSeconds)"
}
