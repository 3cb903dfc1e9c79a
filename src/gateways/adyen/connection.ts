import { type ConnectionTest, connected, failedTest, unconnected } from '../connection-test.ts'
import type { GatewayAccess } from '../gateway.ts'
import { callAdyen } from './call.ts'
import type { HttpClient } from './http-client.ts'

/** Adyen's name for cards among the payment methods. */
const CARDS = 'scheme'

/** Asks which payment methods the merchant account takes: the question needs the role and the account of a payment. */
export async function testConnection(
  httpClient: HttpClient,
  access: GatewayAccess,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const answer = await callAdyen<ConnectionTest>(httpClient, access, { signal }, async (call) => {
    const { merchantAccount } = call.account
    await call.payments.paymentMethods({ merchantAccount }, call.options)
    const { paymentMethods } = call.lastAnswer() as { paymentMethods?: unknown }
    if (!Array.isArray(paymentMethods)) return unconnected('unclear', 'no list')
    return connected(
      merchantAccount,
      paymentMethods.some((method: { type?: unknown } | null) => method?.type === CARDS),
    )
  })
  return 'result' in answer ? answer : failedTest(answer)
}
