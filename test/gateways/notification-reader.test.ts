import { expect, test } from '@jest/globals'
import { systemClock } from '../../src/clock.ts'
import { OWN_HOSTS } from '../../src/config.ts'
import { TEXT_LENGTH_MAX } from '../../src/gateways/clean-texts.ts'
import { NOTIFICATION_READERS, readNotifications } from '../../src/gateways/notification-reader.ts'
import { signNotification } from '../../src/gateways/simulator/notifications.ts'
import { createAdapters } from '../../src/processes/adapters.ts'

test('the notifications of every gateway that posts any are read, and of no other', () => {
  const posting = createAdapters({
    execute: async () => [],
    clock: systemClock,
    sandboxHosts: OWN_HOSTS,
  }).filter(({ readNotification }) => readNotification !== undefined)
  expect([...NOTIFICATION_READERS.keys()].toSorted()).toEqual(posting.map(({ name }) => name).toSorted())
})

test('the outcome that a notification tells of has texts that columns take, as the answer to a call has', () => {
  const key = 'a-key-that-a-test-has-made'
  const { body, headers } = signNotification(
    {
      ...{ kind: 'outcome', gatewayNotificationId: 'notification-1', type: 'capture', reference: 'op_1' },
      gatewayAuthorizationId: 'sim_1',
      outcome: { kind: 'pending', gatewayOperationId: `sim\u0000_${'1'.repeat(5_000)}` },
    },
    key,
  )
  const access = { credentials: { notification_key: key }, settings: {} }
  const gatewayOperationId = `sim_${'1'.repeat(TEXT_LENGTH_MAX - 'sim_'.length)}`
  expect(readNotifications('simulator', Buffer.from(body), headers, access)).toMatchObject({
    kind: 'accepted',
    notifications: [{ outcome: { kind: 'pending', gatewayOperationId } }],
  })
})
