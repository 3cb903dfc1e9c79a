import { describe, expect, test } from '@jest/globals'
import { type CustomerAction, issueAction, type RequestedAction } from '../../../domain/customer-action.ts'
import { continuationOf } from '../../../src/api/payments/continuation.ts'
import { readSource } from '../../../src/api/payments/source.ts'
import { ApiError } from '../../../src/http/api-error.ts'
import type { TransactionRow } from '../../../src/persistence/entities/transaction.ts'

const page = { url: 'https://bank.example', fields: null }
const ACTIONS = {
  fingerprint: { type: 'fingerprint', page, continuation: 'c' },
  redirect: { type: 'redirect', page, continuation: 'c' },
  url: { type: 'url', page, isFullPage: false, continuation: 'c' },
  'fingerprint-mobile': { type: 'fingerprint-mobile', data: { a: 1 }, continuation: 'c' },
  'challenge-mobile': { type: 'challenge-mobile', data: { a: 1 }, continuation: 'c' },
} as const satisfies Record<string, RequestedAction>

const VALUE = 'https://pay.example/three-d-s/iv_1/act_1'

function paymentWith(type: keyof typeof ACTIONS, values: Partial<CustomerAction> = {}): TransactionRow {
  const issue = {
    id: 'act_1',
    attemptId: 'tr_op_1',
    invoiceId: 'iv_1',
    channel: 'web',
    previous: null,
    publicUrl: 'https://pay.example',
    at: 0,
  } as const
  return {
    cardId: 'card_1',
    tokenId: null,
    customerAction: { ...issueAction(ACTIONS[type], issue), ...values },
    attemptsInFlight: [{ operationId: 'tr_op_1', isAbandoned: false, awaitsCustomerUntil: 1 }],
  } as unknown as TransactionRow
}

const KEY = { crv: 'P-256', kty: 'EC', x: 'x', y: 'y' }
const DEVICE = {
  deviceChannel: 'app',
  sdkAppID: 'app',
  sdkEphemPubKey: KEY,
  sdkReferenceNumber: 'ref',
  sdkTransID: 'trans',
  sdkEncData: 'data',
}

describe('the answer to an action', () => {
  test.each([
    ['fingerprint', { url: VALUE, body: '' }, 'returned'],
    [
      'fingerprint',
      { url: VALUE, body: 'threeDSMethodData={"threeDS2FingerprintTimeout":true}' },
      'fingerprint timed out',
    ],
    ['fingerprint', { url: VALUE, body: '{ "threeDS2FingerprintTimeout": true }' }, 'fingerprint timed out'],
    ['redirect', { url: VALUE, body: 'threeDSMethodData={"threeDS2FingerprintTimeout":true}' }, 'returned'],
    ['redirect', { url: VALUE, body: 'canceled=true' }, 'canceled'],
    ['url', { url: VALUE, body: '' }, 'returned'],
    ['fingerprint-mobile', { url: null, body: JSON.stringify(DEVICE) }, 'device data'],
    ['fingerprint-mobile', { url: null, body: '{"canceled":true}' }, 'canceled'],
    ['challenge-mobile', { url: null, body: '{"transStatus":"N"}' }, 'challenge result'],
  ] as const)('%s with %j is: %s', (type, sent, answer) => {
    expect(continuationOf(sent, paymentWith(type)).continues).toEqual({ actionId: 'act_1', answer })
  })

  test('to an action before the last one may come again', () => {
    const payment = paymentWith('redirect', { earlierIds: ['act_0'] })
    const answered = { url: 'https://pay.example/three-d-s/iv_1/act_0', body: '' }
    expect(continuationOf(answered, payment).continues).toEqual({ actionId: 'act_0', answer: 'returned' })
    expect(() => continuationOf(answered, paymentWith('redirect'))).toThrow(ApiError)
  })

  test('to the first step of a native library may come again during the challenge, without its data', () => {
    const again = { url: null, body: JSON.stringify(DEVICE) }
    expect(continuationOf(again, paymentWith('challenge-mobile', { earlierIds: ['act_0'] }))).toEqual({
      continues: { actionId: 'act_0', answer: 'device data' },
      data: null,
    })
    expect(() => continuationOf(again, paymentWith('challenge-mobile'))).toThrow(ApiError)
  })

  test.each([
    ['an object', KEY],
    ['its JSON', JSON.stringify(KEY)],
  ])('carries the texts of a native library, with the key as %s, and nothing else that came with them', (_, key) => {
    const sent = { url: null, body: JSON.stringify({ ...DEVICE, sdkEphemPubKey: key, more: 'x', number: '4242' }) }
    expect(continuationOf(sent, paymentWith('fingerprint-mobile')).data).toEqual({
      sdkAppID: 'app',
      sdkEphemPubKey: JSON.stringify(KEY),
      sdkReferenceNumber: 'ref',
      sdkTransID: 'trans',
      sdkEncData: 'data',
    })
  })

  test.each([
    ['an address of another invoice', 'redirect', { url: 'https://pay.example/three-d-s/iv_2/act_1', body: '' }],
    ['an address elsewhere', 'redirect', { url: 'https://evil.example/', body: '' }],
    ['no address', 'redirect', { url: null, body: 'cres=abc' }],
    ['an address for a native library', 'challenge-mobile', { url: VALUE, body: '{"transStatus":"Y"}' }],
    ['no result', 'challenge-mobile', { url: null, body: '{}' }],
    ['an unheard-of result', 'challenge-mobile', { url: null, body: '{"transStatus":"A"}' }],
    [
      'device data without a key',
      'fingerprint-mobile',
      { url: null, body: JSON.stringify({ ...DEVICE, sdkEphemPubKey: {} }) },
    ],
    ...['x', '[]', 'null', '{"kty":"EC"}'].map(
      (sdkEphemPubKey) =>
        [
          `the text ${sdkEphemPubKey} in place of a key`,
          'fingerprint-mobile',
          { url: null, body: JSON.stringify({ ...DEVICE, sdkEphemPubKey }) },
        ] as const,
    ),
    ['device data that is no JSON', 'fingerprint-mobile', { url: null, body: '{' }],
  ] as const)('is refused with %s', (_, type, sent) => {
    expect(() => continuationOf(sent, paymentWith(type))).toThrow(ApiError)
  })

  test('is refused where nothing was ever asked of the customer', () => {
    expect(() => continuationOf({ url: VALUE, body: '' }, null)).toThrow(ApiError)
    const untried = { ...paymentWith('url'), customerAction: null } as TransactionRow
    expect(() => continuationOf({ url: VALUE, body: '' }, untried)).toThrow(ApiError)
  })
})

describe('a continuation as clients write it', () => {
  const source = (encoded: string) => readSource(`gway_req_${encoded}`, { sandbox: false })
  const json = JSON.stringify({ url: VALUE, method: 'POST', headers: {}, body: 'a=ü' })
  const sent = { kind: 'continuation', sent: { url: VALUE, body: 'a=ü' } }

  test.each([
    ['base64', Buffer.from(json).toString('base64')],
    ['base64 without padding', Buffer.from(json).toString('base64').replace(/=+$/, '')],
    ['base64url', Buffer.from(json).toString('base64url')],
    ['plain JSON', json],
  ])('is read as %s', (_, encoded) => {
    expect(source(encoded)).toEqual(sent)
  })

  test.each([
    ['text', 'hello'],
    ['base64 of text', Buffer.from('hello').toString('base64')],
    ['an empty object', Buffer.from('{}').toString('base64')],
    ['nothing', ''],
  ])('is refused as %s', (_, encoded) => {
    expect(source(encoded).kind).toBe('invalid')
  })
})
