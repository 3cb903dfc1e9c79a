import { afterAll, beforeAll, describe, test } from '@jest/globals'
import type { RequestedAction } from '../../../domain/customer-action.ts'
import type { ContinueRequest } from '../../../src/gateways/gateway.ts'
import { createSimulator, type Transport } from '../../../src/gateways/simulator/adapter.ts'
import type { Trouble } from '../contract/harness.ts'
import { AUTHENTICATION_CASES, type AuthenticationHarness } from '../contract-authentication.ts'
import { makeSimulator, RETURNED, withCustomer } from '../simulator-fixture.ts'

/** A challenge in a browser, the page of version 1, and a native library, which has two steps. */
const SITUATIONS = [
  ['4000000000000101', 'web'],
  ['4000000000003246', 'web'],
  ['4000000000000101', 'ios'],
] as const

let simulator: Awaited<ReturnType<typeof makeSimulator>>
beforeAll(async () => {
  simulator = await makeSimulator('contract of authentication')
})
afterAll(() => simulator.drop())

describe.each(SITUATIONS)('the simulator with the card %s and the channel %s', (number, channel) => {
  const harness = (): AuthenticationHarness => ({
    gateway: simulator.gateway,
    over: async (trouble) =>
      createSimulator({ execute: simulator.execute, clock: simulator.clock, transport: troubled(trouble) }),
    request: (overrides) => simulator.requestOf(number, { authentication: withCustomer({ channel }), ...overrides }),
    act,
    countAuthorizations: async (invoiceId) => (await simulator.readLog({ invoiceId })).authorizations.length,
  })

  test.each(AUTHENTICATION_CASES)('$name', ({ check }) => check(harness()))
})

async function act(action: RequestedAction, passes: boolean): Promise<ContinueRequest['answer']> {
  if (passes) return simulator.act(action)
  if (action.type === 'challenge-mobile') return { kind: 'challenge result', transStatus: 'N' }
  if (action.type !== 'redirect' && action.type !== 'url') return simulator.act(action)
  await simulator.bank.answer(action.continuation, { kind: 'cancel' })
  return RETURNED
}

/** The simulator answers with values, so nonsense on the way is the same as a lost answer. */
function troubled({ kind }: Trouble): Transport {
  return async (call) => {
    if (kind === 'refuses-connections') throw Object.assign(new Error('Nobody listens.'), { code: 'ECONNREFUSED' })
    await call()
    throw Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' })
  }
}
