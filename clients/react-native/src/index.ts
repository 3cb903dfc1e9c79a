export { createBrowserService, type OpenBrowser } from './browser-service.ts'
export { type ClientOptions, HoldfastClient } from './client.ts'
export { CustomerCanceled, type InvalidField, PaymentError, type PaymentErrorKind } from './errors.ts'
export type { Invoices } from './invoices.ts'
export type { Fetch } from './platform.ts'
export type { AuthorizationRequest, WebAuthenticationCallback } from './request.ts'
export type { AuthorizedInvoice, Invoice, Transaction } from './resources.ts'
export { isEndedBy, tokenFrom } from './return-url.ts'
export type {
  ThreeDSAuthenticationRequest,
  ThreeDSChallenge,
  ThreeDSConfiguration,
  ThreeDSRedirect,
  ThreeDSService,
} from './three-d-s-service.ts'
export type { Timing } from './timing.ts'
