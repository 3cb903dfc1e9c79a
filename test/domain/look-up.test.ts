import { describe, expect, test } from '@jest/globals'
import { awaitCustomer, closedAttempt, endWait, firstLookUp, lookedUp, nextLookUp } from '../../domain/look-up.ts'
import type { AttemptInFlight, Payment } from '../../domain/payment.ts'
import { AT, attemptOf, authorized } from './payment-builders.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const holding = (...attemptsInFlight: AttemptInFlight[]): Payment => authorized({ attemptsInFlight })
const [ID, OTHER] = ['tr_op_1', 'tr_op_2']
const fresh = attemptOf({ operationId: ID, ...firstLookUp(AT) })

describe('the look-ups of an outcome that nobody knows', () => {
  test('come later each time, and every day at last', () => {
    let payment = holding(fresh)
    const waits: number[] = []
    let last = AT
    for (let made = 0; made < 10; made += 1) {
      const next = nextLookUp(payment)
      if (next === null) throw new Error('Nothing is looked up.')
      expect(next).toMatchObject({ operationId: ID, number: made + 1 })
      waits.push(next.at - last)
      last = next.at
      payment = lookedUp(payment, ID, next.at)
    }
    expect(waits).toEqual([1 * SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, DAY, DAY])
  })

  test('are counted from the look-up, however late it came', () => {
    const payment = lookedUp(holding(fresh), ID, AT + HOUR)
    expect(nextLookUp(payment)).toMatchObject({ operationId: ID, at: AT + HOUR + 5 * SECOND, number: 2 })
  })

  test.each([
    ['comes before its time', AT + SECOND - 1],
    ['is of another attempt', null],
  ])('leave the schedule as it is where one %s', (_, at) => {
    const payment = holding(fresh)
    expect(at === null ? lookedUp(payment, OTHER, AT + DAY) : lookedUp(payment, ID, at)).toEqual(payment)
  })

  test('are counted once where the same one is run twice', () => {
    const once = lookedUp(holding(fresh), ID, AT + SECOND)
    expect(lookedUp(once, ID, AT + SECOND)).toEqual(once)
  })

  test('of several attempts have schedules of their own, and the first one due is next', () => {
    const later = attemptOf({ operationId: OTHER, ...firstLookUp(AT + 2 * SECOND) })
    const both = holding(later, fresh)
    expect(nextLookUp(both)).toMatchObject({ operationId: ID })
    expect(nextLookUp(lookedUp(both, ID, AT + SECOND))).toMatchObject({
      operationId: OTHER,
      at: AT + 3 * SECOND,
      number: 1,
    })
  })

  test('wait for the customer until the end of that time, and begin anew with the answer', () => {
    const waiting = awaitCustomer(holding(fresh), ID, AT + HOUR)
    expect(nextLookUp(waiting)).toEqual({ operationId: ID, at: AT + HOUR, number: 1, isForCustomer: true })
    const answered = endWait(waiting, ID, AT)
    expect(nextLookUp(answered)).toEqual({ operationId: ID, at: AT + SECOND, number: 1, isForCustomer: false })
    expect(answered.attemptsInFlight[0]).not.toHaveProperty('awaitsCustomerUntil')
    // One that does not wait keeps its look-ups.
    expect(endWait(holding(fresh), ID, AT + HOUR)).toEqual(holding(fresh))
  })

  test('begin at once when a payment that waits for its customer is closed', () => {
    const [waiting] = awaitCustomer(holding(fresh), ID, AT + HOUR).attemptsInFlight
    const closed = closedAttempt(waiting as AttemptInFlight, AT)
    expect(nextLookUp(holding(closed))).toEqual({ operationId: ID, at: AT + SECOND, number: 1, isForCustomer: false })
    expect(closedAttempt(fresh, AT + HOUR)).toEqual({ ...fresh, isAbandoned: true })
  })

  test('are none where nothing is in flight', () => {
    expect(nextLookUp(holding())).toBeNull()
  })
})
