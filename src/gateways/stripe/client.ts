import Stripe from 'stripe'
import { GATEWAY_TIMEOUT_MS, type GatewayAccess } from '../gateway.ts'

/** The version that the requests and answers here were written for; the library's types are of the same. */
const API_VERSION = '2026-10-28.endive'

/** A key that moves no money. */
const TEST_KEY = /^[rs]k_test_/

/**
 * A client for one call. Nothing is repeated: the library would repeat a closed connection even with no retries allowed, but
 * it knows one only by an error code that `fetch` does not set. No redirection is followed, because cards and keys go to Stripe's
 * host and to no other.
 *
 * @param baseUrl takes the place of Stripe's host for test keys; never from a configuration, since the key goes there
 */
export function createClient(
  { credentials, settings }: Pick<GatewayAccess, 'credentials' | 'settings'>,
  signal: AbortSignal,
  baseUrl: string | null = null,
): Stripe {
  const key = credentials.secret_key ?? ''
  return new Stripe(key, {
    apiVersion: API_VERSION,
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: GATEWAY_TIMEOUT_MS,
    httpClient: Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) =>
      ask(url, {
        ...init,
        redirect: 'manual',
        signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal,
      }),
    ),
    ...(settings.account !== undefined && { stripeAccount: settings.account }),
    ...(baseUrl !== null && TEST_KEY.test(key) && hostOf(baseUrl)),
  })
}

function hostOf(baseUrl: string) {
  const { protocol, hostname, port } = new URL(baseUrl)
  const isPlain = protocol === 'http:'
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port || (isPlain ? 80 : 443),
  }
}

/**
 * Answers that are no JSON object end here: one that is a bare word or number the library would neither give nor fail with,
 * but leave its caller waiting and throw where nobody catches.
 */
async function ask(url: string | URL | Request, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init)
  const body = await answer.text()
  if (!isObject(body)) throw new TypeError('The answer is no JSON object.')
  return new Response(body, { status: answer.status, headers: answer.headers })
}

function isObject(body: string): boolean {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
