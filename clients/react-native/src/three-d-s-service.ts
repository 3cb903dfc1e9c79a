import type { WebAuthenticationCallback } from './request.ts'

/** What the native library needs to collect data about the device. */
export interface ThreeDSConfiguration {
  directoryServerId: string
  directoryServerPublicKey: string
  directoryServerRootCAs: readonly string[]
  threeDSServerTransactionId: string
  messageVersion: string
  /** Such as `visa`; null if the service does not say. */
  scheme: string | null
}

/** What the native library has collected about the device. */
export interface ThreeDSAuthenticationRequest {
  /** Encrypted by the native library. */
  deviceData: string
  sdkAppId: string
  /** A JSON Web Key, as the native library gives it. */
  sdkEphemeralPublicKey: string
  sdkReferenceNumber: string
  sdkTransactionId: string
}

/** What the native library needs to show the challenge. */
export interface ThreeDSChallenge {
  acsTransactionId: string
  acsReferenceNumber: string
  acsSignedContent: string
  threeDSServerTransactionId: string
}

/** A page of the bank, to be opened in a browser session of its own. */
export interface ThreeDSRedirect {
  url: string
  /** After this time the library goes on without an answer; null if there is no limit. */
  timeoutSeconds: number | null
  /** Where the session ends: the invoice's `return_url`. */
  returnUrl: string
  /** How the app takes control back, as the request has it; null if it does not say. */
  webAuthenticationCallback: WebAuthenticationCallback | null
  invoiceId: string
}

/**
 * What the app does for 3-D Secure: it wraps a certified native library, and opens browser sessions. The library
 * calls one method at a time.
 *
 * A method throws `CustomerCanceled` if the customer closes the window or aborts. Any other error ends the payment with
 * `authentication-failed`.
 */
export interface ThreeDSService {
  /** Has the native library collect the data about the device. */
  authenticationRequest(configuration: ThreeDSConfiguration): Promise<ThreeDSAuthenticationRequest>

  /**
   * Has the native library show the challenge.
   *
   * @returns whether the customer was authenticated.
   */
  handleChallenge(challenge: ThreeDSChallenge): Promise<boolean>

  /**
   * Opens a browser session at the address, and waits until it opens the invoice's `return_url`.
   *
   * @returns the token of that address, by `tokenFrom`; empty if it has none.
   */
  handleRedirect(redirect: ThreeDSRedirect): Promise<string>

  /** Closes the browser session of a redirect whose time is up; how that redirect ends does not count any more. */
  closeRedirect?(): void

  /** Frees everything, an open browser session included. It is called once for each call of `authorizeInvoice`. */
  cleanup(): void | Promise<void>
}
