import { createApi } from './api.ts'
import { PaymentError } from './errors.ts'
import { createInvoices, type Invoices } from './invoices.ts'
import type { Fetch } from './platform.ts'
import { TIMING, type Timing } from './timing.ts'

export interface ClientOptions {
  /** `proj_…`, or `test-proj_…` in the sandbox. */
  projectId: string
  /** Where the service is, such as `https://api.example.com`. Plain `http` is accepted for the own machine only. */
  baseUrl: string
  timing?: Partial<Timing>
  /** Instead of the platform's own. */
  fetch?: Fetch
}

const PROJECT_ID = /^(?:test-)?proj_[A-Za-z0-9_-]+$/

const WEB_ADDRESS = /^https:\/\/[^/?#\s@]+(?:\/[^?#\s]*)?$/i

/** Plain HTTP only to this machine, which an Android emulator calls 10.0.2.2. */
const LOCAL_ADDRESS = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|10\.0\.2\.2)(?::\d+)?(?:\/[^?#\s]*)?$/i

/**
 * The payment service as an app uses it. One client lives as long as the app: it knows which payments are under way.
 *
 * An app holds no secret key. The merchant's server creates the invoice and hands its id to the app.
 */
export class HoldfastClient {
  readonly invoices: Invoices

  /** @throws PaymentError for a secret key in place of the project id, and for an address without TLS. */
  constructor({ projectId, baseUrl, timing, fetch }: ClientOptions) {
    if (!PROJECT_ID.test(projectId))
      throw invalid('projectId has to be proj_… or test-proj_…. A secret key must never be in an app.')
    if (!WEB_ADDRESS.test(baseUrl) && !LOCAL_ADDRESS.test(baseUrl))
      throw invalid('baseUrl has to be a web address that begins with https.')
    const chosen = { ...TIMING, ...timing }
    const api = createApi({ baseUrl: baseUrl.replace(/\/+$/, ''), projectId, timing: chosen, fetch })
    this.invoices = createInvoices(api, chosen)
  }
}

function invalid(message: string): PaymentError {
  return new PaymentError('invalid-request', message)
}
