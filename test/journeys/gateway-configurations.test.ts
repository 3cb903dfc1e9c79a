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
})
