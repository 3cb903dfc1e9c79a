import { beforeAll, expect, test } from '@jest/globals'
import { signNotification } from '../../src/gateways/simulator/notifications.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
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
const notify = (notification: Notification) =>
  fetch(new URL(`/gateways/simulator/notifications/${gatewayConfigurationId}`, stack.baseUrl), {
    method: 'POST',
    ...signNotification(notification, KEY),
  })

test('a chargeback reaches a payment whose workflow has closed', async () => {
  const { invoiceId } = await story.pay({ authorize_only: false })
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
