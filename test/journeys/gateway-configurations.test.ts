import { beforeAll, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory } from '../support/story.ts'

const CREDENTIALS = { notification_key: 'a key that no history, log, event or webhook may hold' }

describe('an account that was set up by requests', () => {
  // When it stops, everything that is left behind is looked through for the credentials that were sent.
  const stack = stackForFile()
  const story = createStory(stack)

  beforeAll(async () => {
    const em = stack.database.orm.em.fork()
    await em.nativeUpdate(GatewayConfigurationEntity, { projectId: stack.project.id }, { enabled: false })
  })

  const setUp = async (fields: object) => {
    const { status, body } = await stack.post('/gateways/simulator/gateway-configurations', {
      name: 'Of this test',
      credentials: CREDENTIALS,
      ...fields,
    })
    expect([status, body.message]).toEqual([200, undefined])
    return body.gateway_configuration
  }

  test('takes payments with its settings, and its credentials are nowhere', async () => {
    const account = await setUp({ settings: { delay_ms: '300' } })
    const begun = performance.now()
    const { invoiceId, transaction } = await stack.payInvoice()
    expect(performance.now() - begun).toBeGreaterThan(300)
    expect(transaction).toMatchObject({ status: 'authorized', gateway_configuration_id: account.id })
    const { body } = await stack.get(`/transactions/${transaction.id}?expand=gateway_configuration`)
    expect(body.transaction.gateway_configuration).toEqual(account)
    expect((await story.post(invoiceId, 'capture', {})).body.transaction.status).toBe('completed')
    await stack.delete(`/gateway-configurations/${account.id}`)
  })

  test('does no more than it may, from the next payment on', async () => {
    const { id } = await setUp({ capabilities: { partial_capture: false } })
    const { invoiceId } = await stack.payInvoice()
    const part = await story.post(invoiceId, 'capture', { capture_amount: '10.00' })
    expect(part).toMatchObject({ status: 400, body: { error_type: 'request.gateway.operation-not-supported' } })
    await stack.put(`/gateway-configurations/${id}`, { capabilities: { partial_capture: true } })
    const next = await stack.payInvoice()
    const taken = await story.post(next.invoiceId, 'capture', { capture_amount: '10.00' })
    expect(taken.body.transaction).toMatchObject({ status: 'completed', captured_amount: '10.00' })
    await stack.delete(`/gateway-configurations/${id}`)
  })

  test('captures and refunds what is there after it was deleted, and takes nothing new', async () => {
    const { id } = await setUp({})
    const { invoiceId, transaction } = await stack.payInvoice()
    expect(transaction.gateway_configuration_id).toBe(id)
    expect((await stack.delete(`/gateway-configurations/${id}`)).status).toBe(200)
    expect((await story.post(invoiceId, 'capture', {})).body.transaction.status).toBe('completed')
    const refunded = await story.post(invoiceId, 'refunds', { amount: '29.00' })
    expect(refunded.status).toBe(200)
    const [invoice, card] = await Promise.all([stack.createInvoice(), stack.createCard()])
    expect(await stack.post(`/invoices/${invoice.id}/authorize`, { source: card.id })).toMatchObject({
      status: 400,
      body: { error_type: 'request.configuration.missing-gateway-configuration' },
    })
  })
})
