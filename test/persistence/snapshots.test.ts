import { describe, expect, test } from '@jest/globals'
import { EVENT_NAMES, type EventName } from '../../domain/webhook-event.ts'
import { exampleEvent } from '../../src/api/examples/events.ts'
import { packSnapshot, unpackSnapshot } from '../../src/persistence/snapshots.ts'

/** Packed when the first dictionary was made. */
const OLD = 'ASNx1RKOdQHgXfhY86ghvmFT0gbYamsB'

describe('a snapshot', () => {
  test.each(Object.keys(EVENT_NAMES) as EventName[])('of %s is unpacked as it was', (name) => {
    const { data } = exampleEvent(name)
    expect(JSON.stringify(unpackSnapshot(packSnapshot(data)))).toBe(JSON.stringify(data))
  })

  test('is read for as long as it is kept: no dictionary changes', () => {
    const { id } = unpackSnapshot(Buffer.from(OLD, 'base64')).transaction as { id: string }
    expect(id).toBe('tr_first')
  })

  test('may be its text', () => {
    expect(unpackSnapshot(Buffer.from('{"name":"customer.created"}'))).toEqual({ name: 'customer.created' })
  })

  test('of a later release is not guessed at', () => {
    expect(() => unpackSnapshot(Buffer.of(9, 1, 2))).toThrow('no dictionary 9')
  })

  test('of a payment takes less than a kilobyte; if not, the fields have become others, and want another dictionary', () => {
    expect(packSnapshot(exampleEvent('transaction.captured').data).length).toBeLessThan(1_000)
  })
})
