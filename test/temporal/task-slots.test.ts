import { describe, expect, test } from '@jest/globals'
import { createTaskSlots, type TaskSlots } from '../../src/temporal/task-slots.ts'

const CONTEXT = {
  slotType: 'workflow',
  taskQueue: 'q',
  workerIdentity: 'w',
  workerBuildId: '',
  isSticky: false,
} as const

const tryIt = ({ supplier }: TaskSlots) => supplier.tryReserveSlot(CONTEXT) !== null
const reserve = ({ supplier }: TaskSlots, signal = new AbortController().signal) =>
  supplier.reserveSlot(CONTEXT, signal)
const release = ({ supplier }: TaskSlots) => supplier.releaseSlot({ permit: {} })

/** A wait, and how to end it. */
function wait({ whileWaiting }: TaskSlots) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const ended = whileWaiting(() => promise)
  return async () => {
    resolve()
    await ended
  }
}

describe('slots for workflow tasks', () => {
  test('are no more at once than may work', () => {
    const slots = createTaskSlots({ slotsMax: 10, workedOnMax: 2 })
    expect([tryIt(slots), tryIt(slots), tryIt(slots)]).toEqual([true, true, false])
  })

  test('go to others while a task waits for its gateway, but only as many as there are', async () => {
    const slots = createTaskSlots({ slotsMax: 3, workedOnMax: 1 })
    expect([tryIt(slots), tryIt(slots)]).toEqual([true, false])
    const ends = [wait(slots)]
    expect([tryIt(slots), tryIt(slots)]).toEqual([true, false])
    ends.push(wait(slots))
    expect(tryIt(slots)).toBe(true)
    ends.push(wait(slots))
    // All wait, so none works, but three is all there are.
    expect(tryIt(slots)).toBe(false)
    for (const end of ends) await end()
  })

  test('are missing until enough have ended, where those that waited go on to work', async () => {
    const slots = createTaskSlots({ slotsMax: 10, workedOnMax: 1 })
    tryIt(slots)
    const end = wait(slots)
    tryIt(slots)
    await end()
    release(slots)
    expect(tryIt(slots)).toBe(false)
    release(slots)
    expect(tryIt(slots)).toBe(true)
  })

  test('that somebody waits for come in the order of asking, with a release or with a wait', async () => {
    const slots = createTaskSlots({ slotsMax: 10, workedOnMax: 1 })
    await reserve(slots)
    const came: string[] = []
    const asked = ['first', 'second'].map((name) => reserve(slots).then(() => came.push(name)))
    release(slots)
    await asked[0]
    expect(came).toEqual(['first'])
    const end = wait(slots)
    await asked[1]
    expect(came).toEqual(['first', 'second'])
    await end()
  })

  test('come back where the gateway fails', async () => {
    const slots = createTaskSlots({ slotsMax: 10, workedOnMax: 1 })
    tryIt(slots)
    await expect(slots.whileWaiting(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(tryIt(slots)).toBe(false)
  })
})
