import { expect, test } from '@jest/globals'
import { NOTIFICATION_READERS } from '../../src/gateways/notification-reader.ts'
import { createAdapters } from '../../src/processes/adapters.ts'

test('the notifications of every gateway that posts any are read, and of no other', () => {
  const posting = createAdapters(async () => []).filter(({ readNotification }) => readNotification !== undefined)
  expect([...NOTIFICATION_READERS.keys()].toSorted()).toEqual(posting.map(({ name }) => name).toSorted())
})
