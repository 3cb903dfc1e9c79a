import { describe, expect, test } from '@jest/globals'
import { ACTIONS_MAX, CUSTOMER_ACTION_TYPES } from '../../../domain/customer-action.ts'
import { ERRORS, isErrorCode, retryClassOf } from '../../../domain/errors.ts'
import { INVOICE_STATUSES } from '../../../domain/invoice-status.ts'
import { TRANSACTION_STATUSES } from '../../../domain/transaction.ts'
import { CLIENT_SECRET_HEADER } from '../../../src/http/clients/client-secret.ts'
import { MOBILE_RETURN_URLS } from '../../../src/http/schemas/fields/address.ts'
import { FIXTURES } from './wire-fixtures.ts'

const { protocol, actions, errors, requests, return_urls: returnUrls, flows } = FIXTURES

describe('the wire fixtures agree with the service:', () => {
  test('the types of actions, and one round more than it asks for actions', () => {
    expect(protocol.action_types).toEqual([...CUSTOMER_ACTION_TYPES])
    expect(protocol.rounds_max).toBe(ACTIONS_MAX + 1)
  })

  test('the header of the client secret', () => {
    expect(protocol.headers.client_secret).toBe(CLIENT_SECRET_HEADER)
  })

  test('every status of an invoice is a success, a failure, or open', () => {
    const { paid, failed } = protocol.invoice_statuses
    expect([...paid, ...failed, 'pending', 'processing'].toSorted()).toEqual([...INVOICE_STATUSES].toSorted())
    for (const status of protocol.open_transaction_statuses) expect(TRANSACTION_STATUSES).toContain(status)
  })

  test('every code after which the customer may authenticate again is such an error', () => {
    const codes = Object.keys(ERRORS).filter((code) => retryClassOf(code) === 'authenticate')
    const told = errors.filter(({ kind }) => kind === 'authentication-failed').map((row) => row.error_type)
    expect(told.toSorted()).toEqual(codes.toSorted())
  })

  test('the status of every error', () => {
    const known = errors.flatMap(({ status, error_type: code }) => (isErrorCode(code) ? [{ status, code }] : []))
    expect(known.length).toBeGreaterThan(30)
    for (const { status, code } of known) expect([code, ERRORS[code].status]).toEqual([code, status])
  })

  test.each(returnUrls)('whether $return_url leads back to an app', ({ return_url: url, android, ios }) => {
    // The service asks for one where it is needed, and libraries always do.
    expect(url !== null && MOBILE_RETURN_URLS.android.holds(url)).toBe(android)
    expect(url !== null && MOBILE_RETURN_URLS.ios.holds(url)).toBe(ios)
  })
})

describe('the wire fixtures agree with themselves:', () => {
  const sources = actions.flatMap(({ name, next_sources: next }) => next.map((row) => ({ name, ...row })))

  test.each(sources.filter((row) => row.text !== null))('the source of $name, $after', ({ source, text, after }) => {
    const encoding = after === 'returned' ? 'base64url' : 'base64'
    expect(source).toBe(`gway_req_${Buffer.from(String(text)).toString(encoding)}`)
    expect(JSON.stringify(JSON.parse(String(text)))).toBe(text)
  })

  test.each(actions.filter(({ decoded }) => decoded !== null))('the value of $name', (action) => {
    expect(Buffer.from(action.customer_action.value, 'base64').toString()).toBe(action.value_text)
    expect({ scheme: null, ...JSON.parse(String(action.value_text)) }).toMatchObject(action.decoded ?? {})
  })

  test('there are values without padding, whose padding is missed', () => {
    const bare = actions.filter(({ name }) => name.includes('without base64 padding'))
    expect(bare).toHaveLength(2)
    for (const { customer_action: action } of bare) expect(action.value.length % 4).not.toBe(0)
  })

  test('every type of action is answered in every way that it has', () => {
    const ways = (type: string) => [
      ...new Set(sources.filter((row) => typeOf(row.name) === type).map(({ means }) => means)),
    ]
    const typeOf = (name: string) => actions.find((action) => action.name === name)?.customer_action.type
    expect(Object.fromEntries(protocol.action_types.map((type) => [type, ways(type).toSorted()]))).toEqual({
      fingerprint: ['asks again', 'canceled', 'fingerprint timed out', 'returned'],
      redirect: ['asks again', 'canceled', 'returned'],
      url: ['asks again', 'canceled', 'returned'],
      'fingerprint-mobile': ['canceled', 'device data'],
      'challenge-mobile': ['canceled', 'challenge result'],
    })
  })

  test('a request holds the fields of the protocol in their order, and one of them holds all', () => {
    const fieldsOf = (text: string) => Object.keys(JSON.parse(text))
    for (const { body_text: text } of requests)
      expect(fieldsOf(text)).toEqual(protocol.request_fields.filter((name) => fieldsOf(text).includes(name)))
    expect(requests.map(({ body_text: text }) => fieldsOf(text).length)).toContain(protocol.request_fields.length)
  })

  test('every kind of error is the end of a flow', () => {
    expect([...new Set(flows.map(({ result }) => result.kind))].toSorted()).toEqual(
      ['paid', ...protocol.error_kinds].toSorted(),
    )
    expect(new Set(flows.map(({ name }) => name)).size).toBe(flows.length)
  })

  test('every flow ends with a cleanup, and has one only', () => {
    for (const { calls } of flows) {
      expect(calls.at(-1)).toBe('cleanup')
      expect(calls.filter((call) => call === 'cleanup')).toHaveLength(1)
    }
  })

  test('no card number is among them', () => {
    expect(JSON.stringify(FIXTURES)).not.toMatch(/\b[3-6]\d{12,18}\b/)
  })
})
