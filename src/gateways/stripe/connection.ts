import type Stripe from 'stripe'
import { type ConnectionTest, connected, failedTest, unconnected } from '../connection-test.ts'
import { outcomeOfFailure } from './failures.ts'

/** Stripe's code where a key may not act for the account that the settings name. */
const NOT_ITS_ACCOUNT = 'account_invalid'

/**
 * Reads the account, and first the list of PaymentIntents: a restricted key that may not read those takes no payments, and
 * one that may need not be allowed to read its account.
 */
export async function testConnection(client: Stripe): Promise<ConnectionTest> {
  try {
    const { data } = await client.paymentIntents.list({ limit: 1 })
    if (!Array.isArray(data)) return unconnected('unclear', 'no list')
  } catch (error) {
    return failure(error)
  }
  try {
    const { id, charges_enabled: isActive, settings } = await client.accounts.retrieveCurrent()
    if (typeof id !== 'string') return unconnected('unclear', 'no account')
    const name = settings?.dashboard?.display_name
    return connected(typeof name === 'string' && name !== '' ? `${name} (${id})` : id, isActive)
  } catch (error) {
    const failed = failure(error)
    return failed.result === 'forbidden' ? connected(null) : failed
  }
}

function failure(error: unknown): ConnectionTest {
  const failed = failedTest(outcomeOfFailure(error))
  return failed.code === NOT_ITS_ACCOUNT ? { ...failed, result: 'account-unknown' } : failed
}
