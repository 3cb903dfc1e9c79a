import { jest } from '@jest/globals'
import { type Capabilities, restrictCapabilities } from '../../../domain/capabilities.ts'
import { createClient } from '../../../src/gateways/stripe/client.ts'
import { describeGateway } from '../contract.ts'
import { describeOnTestHost } from '../sandbox.ts'
import { booksOverApi } from './books-over-api.ts'
import { makeStripeHarness } from './harness.ts'

const HOST = 'https://api.stripe.com'

/** The search of Stripe lags behind; its page "Search" says under a minute in normal operation. */
const SEARCH_LAG_MS = 120_000
/** A test asks up to a hundred times, over a continent and with such a lag. */
const TEST_TIMEOUT_MS = 900_000
/** As long as the whole run may take. */
const RUN_TIMEOUT_MS = 3_600_000

/** The names of capabilities that the account lacks, by commas, such as `incrementalAuthorization,multipleCaptures`. */
const LACKS = 'HOLDFAST_TEST_STRIPE_LACKS'

jest.setTimeout(TEST_TIMEOUT_MS)

describeOnTestHost('Stripe', ['HOLDFAST_TEST_STRIPE_SECRET_KEY'], ({ HOLDFAST_TEST_STRIPE_SECRET_KEY: secretKey }) => {
  if (!/^[rs]k_test_/.test(secretKey)) throw new Error('HOLDFAST_TEST_STRIPE_SECRET_KEY must be a test-mode key.')
  const lacking = (process.env[LACKS] ?? '').split(',').filter((name) => name !== '')
  const restriction = Object.fromEntries(lacking.map((name) => [name, false])) as Partial<Capabilities>

  describeGateway(
    "Stripe's test host",
    async () => {
      const settings: Record<string, string> = lacking.includes('multipleCaptures') ? { multicapture: 'never' } : {}
      const client = createClient(
        { credentials: { secret_key: secretKey }, settings },
        AbortSignal.timeout(RUN_TIMEOUT_MS),
      )
      const books = booksOverApi(client, Math.floor(Date.now() / 1000))
      const { harness } = await makeStripeHarness({ target: HOST, secretKey, settings, books, pendingCard: null })
      const { gateway } = harness
      return {
        ...harness,
        isRemote: true,
        lookUpPatienceMs: SEARCH_LAG_MS,
        gateway: { ...gateway, capabilities: restrictCapabilities(gateway.capabilities, restriction) },
      }
    },
    { seed: `Stripe's test host at ${Date.now()}` },
  )
})
