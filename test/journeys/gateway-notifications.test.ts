import { beforeAll, expect, test } from '@jest/globals'
import { signNotification } from '../../src/gateways/simulator/notifications.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { GatewayNotificationEntity } from '../../src/persistence/entities/gateway-notification.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory } from '../support/story.ts'

type Notification = Parameters<typeof signNotification>[0]

const KEY = 'what-the-gateway-signs-with'

const stack = stackForFile()
const story = createStory(stack)
let gatewayConfigurationId: string

beforeAll(async () => {
  const em = stack.database.orm.em.fork()
  const { id } = await em.findOneOrFail(GatewayConfigurationEntity, { projectId: stack.project.id })
  const { ciphertext, keyId, hash } = stack.vault.encryptCredentials(id, { notification_key: KEY })
  await em.nativeUpdate(
    GatewayConfigurationEntity,
    { id },
    { credentialsCiphertext: Buffer.from(ciphertext), credentialsKeyId: keyId, credentialsHash: hash },
  )
  gatewayConfigurationId = id
})

const PAID = ['transaction.requested', 'transaction.authorized', 'transaction.captured', 'invoice.completed']

/** Posts what a gateway notifies, with its signature and nobody's key. */
const notify = (notification: Notification, key = KEY) =>
  fetch(new URL(`/gateways/simulator/notifications/${gatewayConfigurationId}`, stack.baseUrl), {
    method: 'POST',
    ...signNotification(notification, key),
  })

async function paid() {
  const { invoiceId } = await story.pay({ authorize_only: false })
  const transaction = await story.transactionOf(invoiceId)
  const attempt = (type: string) =>
    transaction.operations.find((one: Record<string, unknown>) => one.type === type && one.is_attempt)
  return { invoiceId, capture: attempt('capture').id as string }
}

test('a capture that fails after it had succeeded is taken back, told fifty times at once or once', async () => {
  const { invoiceId, capture } = await paid()
  const notification: Notification = {
    kind: 'outcome',
    gatewayNotificationId: `${capture}-failed`,
    type: 'capture',
    reference: capture,
    gatewayAuthorizationId: null,
    outcome: { kind: 'declined', code: 'gateway.declined', gatewayCode: 'CAPTURE_FAILED' },
  }
  expect((await notify(notification, `${KEY}-wrong`)).status).toBe(400)
  expect(await story.transactionOf(invoiceId)).toMatchObject({ status: 'completed' })

  const answers = await Promise.all(Array.from({ length: 50 }, () => notify(notification)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const transaction = await story.becomes(invoiceId, { status: 'authorized', captured_amount: '0.00' })
  await story.expectEvents(invoiceId, [...PAID, 'transaction.operation.capture.failed'])
  expect(transaction.operations.filter((one: Record<string, unknown>) => one.actor === 'gateway_webhook')).toHaveLength(
    1,
  )
  const notifications = await stack.database.orm.em.fork().find(GatewayNotificationEntity, { invoiceId })
  expect(notifications).toMatchObject([{ kind: 'outcome', appliedAt: expect.any(Date) }])
})

test('a chargeback reaches a payment whose workflow has closed', async () => {
  const { invoiceId } = await paid()
  await stack.waitFor(() => stack.isClosed(invoiceId))
  const answer = await notify({
    kind: 'chargeback-created',
    gatewayNotificationId: `${invoiceId}-chargeback`,
    gatewayAuthorizationId: await authorizationOf(invoiceId),
    invoiceId: null,
    reference: null,
    amountMinor: null,
    currency: null,
    reason: 'fraudulent',
  })
  expect(await answer.text()).toBe('[accepted]')
  await story.becomes(invoiceId, { status: 'chargeback-initiated' })
  await story.expectEvents(invoiceId, [...PAID, 'transaction.chargeback.created'])
})

async function authorizationOf(invoiceId: string): Promise<string> {
  const [row] = await stack.database.orm.em
    .fork()
    .execute<{ id: string }[]>('select gateway_authorization_id as id from transaction where invoice_id = ?', [
      invoiceId,
    ])
  return row?.id ?? ''
}
