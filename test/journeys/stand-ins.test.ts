import { beforeAll, describe, expect, test } from '@jest/globals'
import { startAdyenStandIn } from '../../stand-ins/adyen/adyen.ts'
import type { Entry } from '../../stand-ins/engine/ledger.ts'
import { startStripeStandIn } from '../../stand-ins/stripe/stripe.ts'
import { openForFile, runningForFile } from '../support/for-file.ts'
import { makeStack } from '../support/stack.ts'
import { createStory } from '../support/story.ts'

const stripe = openForFile(() => startStripeStandIn())
const adyen = openForFile(() => startAdyenStandIn())
const stack = runningForFile(() =>
  makeStack({ mode: 'together', sandboxHosts: { stripe: stripe.url, adyen: adyen.url } }),
)
const story = createStory(stack)

const setAccounts = async (enabled: boolean, ids: readonly string[]) => {
  for (const id of ids) expect((await stack.put(`/gateway-configurations/${id}`, { enabled })).status).toBe(200)
}

interface Operation {
  type: string
  outcome: string | null
}

describe.each([
  ['stripe', stripe],
  ['adyen', adyen],
] as const)('a payment at the stand-in of %s', (name, standIn) => {
  const control = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(standIn.controlUrl + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect(answer.status).toBe(200)
    return answer.json() as Promise<{ faults: object[]; entries: Entry[] }>
  }
  const ledgerOf = async (invoiceId: string) =>
    (await control('GET', '/ledger')).entries.filter((entry) => entry.invoice_id === invoiceId)
  let id: string
  beforeAll(async () => {
    const others = (await stack.get('/gateway-configurations')).body.gateway_configurations
    await setAccounts(
      false,
      others.map((one: { id: string }) => one.id),
    )
    const account = { name: 'Stand-in', default_currency: 'EUR', ...standIn.model.account }
    const { body } = await stack.post(`/gateways/${name}/gateway-configurations`, account)
    id = body.gateway_configuration.id
    await control('PUT', '/notify', { urls: [`${stack.baseUrl}/gateways/${name}/notifications/${id}`] })
  })

  test('whose answers are lost, each once, ends as the gateway has it, and nothing is done twice', async () => {
    await control(
      'PUT',
      '/faults',
      ['authorize', 'capture', 'refund'].map((on) => ({ name: 'reset-after', on, count: 1 })),
    )
    const { invoiceId, answer } = await story.pay()
    expect(answer.body.transaction.status).toBe('pending')
    await story.becomes(invoiceId, { status: 'authorized', authorized_amount: '29.00' })
    await story.post(invoiceId, 'capture', { capture_amount: '29.00' })
    await story.becomes(invoiceId, { captured_amount: '29.00' })
    await story.post(invoiceId, 'refunds', { amount: '9.00' })
    await story.becomes(invoiceId, { refunded_amount: '9.00' })

    const { faults } = await control('DELETE', '/faults')
    expect(faults).toMatchObject([{ struck: 1 }, { struck: 1 }, { struck: 1 }])
    expect(await ledgerOf(invoiceId)).toMatchObject([
      { kind: 'authorization', amount_minor: 2_900, currency: 'EUR' },
      { kind: 'capture', amount_minor: 2_900 },
      { kind: 'refund', amount_minor: 900 },
    ])
  })

  test('of which the issuer approves a part is released, over that part', async () => {
    await control('PUT', '/faults', { name: 'other-amount', count: 1 })
    const { invoiceId, answer } = await story.pay()

    expect(answer.body.transaction).toMatchObject({ status: 'failed', error_code: 'card.no-money' })
    const release = await stack.waitFor(async () => {
      const { operations } = await story.transactionOf(invoiceId)
      return operations.find((one: Operation) => one.type === 'void' && one.outcome === 'succeeded')
    })
    expect(release).toMatchObject({ amount: '14.50', currency: 'EUR' })
    expect(await ledgerOf(invoiceId)).toMatchObject([
      { kind: 'authorization', amount_minor: 1_450 },
      { kind: 'void', amount_minor: 1_450 },
    ])
  })
})
