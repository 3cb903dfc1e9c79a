import { describe, expect, test } from '@jest/globals'
import {
  CUSTOMER_HAS_MS,
  type CustomerAction,
  endedAction,
  isBusyWithOther,
  issueAction,
  openAction,
  type RequestedAction,
  returnAddress,
} from '../../domain/customer-action.ts'

const AT = Date.UTC(2026, 10, 23, 12)
const challenge: RequestedAction = {
  type: 'redirect',
  page: { url: 'https://bank.example/acs', fields: { creq: 'abc' } },
  continuation: 'auth_1',
}
const issue = {
  id: 'act_2',
  attemptId: 'tr_op_1',
  invoiceId: 'iv_1',
  channel: 'web',
  previous: null,
  publicUrl: 'https://pay.example',
  at: AT,
} as const

describe('an issued action', () => {
  test('names a page of ours, never that of the bank', () => {
    const action = issueAction(challenge, issue)
    expect(action.value).toBe('https://pay.example/three-d-s/iv_1/act_2')
    expect(action.hostedPage).toBe('https://pay.example/pay/iv_1?action=act_2')
    expect(action.page).toEqual(challenge.type === 'redirect' && challenge.page)
  })

  test('leaves the customer 15 minutes from the first action of the attempt on', () => {
    const first = issueAction(challenge, issue)
    expect(first).toMatchObject({ number: 1, expiresAt: AT + CUSTOMER_HAS_MS, returned: null, answered: null })
    const second = issueAction(challenge, { ...issue, previous: first, at: AT + 60_000 })
    expect(second).toMatchObject({ number: 2, earlierIds: ['act_2'], expiresAt: AT + CUSTOMER_HAS_MS })
    expect(issueAction(challenge, { ...issue, id: 'act_4', previous: { ...second, id: 'act_3' } })).toMatchObject({
      earlierIds: ['act_2', 'act_3'],
    })
  })

  test('carries the data of a native library as base64 of JSON with padding', () => {
    const data = { acsTransID: '1', scheme: 'carte bancaire', name: 'Zoë' }
    const action = issueAction({ type: 'challenge-mobile', data, continuation: 'auth_1' }, issue)
    expect(JSON.parse(Buffer.from(action.value, 'base64').toString('utf8'))).toEqual(data)
    expect(action.value.length % 4).toBe(0)
    expect(action.page).toBeNull()
  })

  test('remembers that a bank refuses to be shown in a frame', () => {
    const page = { url: 'https://bank.example', fields: null }
    const asked = (isFullPage: boolean) =>
      issueAction({ type: 'url', page, isFullPage, continuation: 'auth_1' }, issue).isFullPage
    expect([asked(true), asked(false)]).toEqual([true, false])
  })
})

describe('the open action of a payment', () => {
  const action: CustomerAction = issueAction(challenge, issue)
  const waiting = { operationId: 'tr_op_1', isAbandoned: false, awaitsCustomerUntil: AT }
  const open = (attempt: Partial<typeof waiting> | null, customerAction: CustomerAction | null = action) =>
    openAction({ customerAction, attemptsInFlight: attempt === null ? [] : [{ ...waiting, ...attempt }] })

  test('is the last one while its attempt waits for the customer', () => {
    expect(open({})).toBe(action)
  })

  test.each([
    ['the attempt has ended', null],
    ['another attempt waits', { operationId: 'tr_op_2' }],
    ['the attempt was closed', { isAbandoned: true }],
  ])('is none where %s', (_, attempt) => {
    expect(open(attempt)).toBeNull()
  })

  test('is none while the gateway is called again', () => {
    expect(
      openAction({ customerAction: action, attemptsInFlight: [{ operationId: 'tr_op_1', isAbandoned: false }] }),
    ).toBeNull()
    expect(open({}, null)).toBeNull()
    expect(openAction(null)).toBeNull()
  })
})

test('at the end nothing is left of an action that a bank has sent', () => {
  const action = { ...issueAction(challenge, issue), returned: { PaRes: 'proof' } }
  const ended = endedAction(action)
  expect(JSON.stringify(ended)).not.toMatch(/proof|bank|auth_1/)
  expect(ended).toMatchObject({ id: action.id, attemptId: action.attemptId, value: action.value, type: action.type })
})

test('another source is in the way of an authentication, and the same one is not', () => {
  const waiting = { operationId: 'tr_op_1', isAbandoned: false, awaitsCustomerUntil: AT }
  const paid = {
    cardId: 'card_1',
    tokenId: 'tok_1',
    customerId: 'cust_1',
    customerAction: issueAction(challenge, issue),
  }
  const busy = (source: string | null, attemptsInFlight = [waiting]) =>
    isBusyWithOther({ ...paid, attemptsInFlight }, source)
  expect([busy('card_2'), busy('tok_2'), busy('cust_2')]).toEqual([true, true, true])
  // Of a customer whose token it is not.
  expect(isBusyWithOther({ ...paid, tokenId: null, attemptsInFlight: [waiting] }, 'cust_1')).toBe(true)
  expect([busy('card_1'), busy('tok_1'), busy('cust_1'), busy(null)]).toEqual([false, false, false, false])
  expect([busy('card_2', []), isBusyWithOther(null, 'card_2')]).toEqual([false, false])
})

test('banks send the browser to an address of the attempt', () => {
  expect(returnAddress('https://pay.example', 'iv_1', 'tr_op_1')).toBe(
    'https://pay.example/three-d-s/iv_1/tr_op_1/return',
  )
})
