import { execFileSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import type { ApiRequest } from '../../node/src/generated/schemas.ts'
import { curlOf, invoiceOf } from '../src/pages/requests/curl.ts'

const request = (fields: Partial<ApiRequest>) =>
  ({
    ...{ method: 'POST', path: '/invoices/iv_1/capture', query: null },
    ...{ request_body: {}, has_idempotency_key: false, ...fields },
  }) as ApiRequest

/** The words of which a shell calls curl. */
function wordsOfShell(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; head() { echo u; }; base64() { cat; }; KEY=key_1\n${command}`
  return execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)
}
const curl = (fields: Partial<ApiRequest>) => curlOf(request(fields), 'https://api.example', 'test-proj_1')
const copied = (fields: Partial<ApiRequest>) => String(curl(fields))

describe('a request copied as curl', () => {
  test('is one command of a shell, whatever it says', () => {
    const name = `it's "$(touch /tmp/x)" \`id\` \n\u202E`
    expect(
      wordsOfShell(copied({ method: 'a`b', request_body: { name }, query: { 'expand[]': ['a', "b'&c"] } })),
    ).toEqual([
      ...['-X', 'a`b', "https://api.example/invoices/iv_1/capture?expand%5B%5D=a&expand%5B%5D=b'%26c"],
      ...['-u', 'test-proj_1:key_1', '-H', 'Content-Type: application/json', '-d', JSON.stringify({ name })],
    ])
  })

  test('is nothing where only the dashboard calls', () => {
    expect(curl({ path: '/dashboard/invitations' })).toBeNull()
  })

  test('goes with a key of its own where it went with one', () => {
    expect(wordsOfShell(copied({ has_idempotency_key: true }))).toContain('Idempotency-Key: u')
    expect(copied({ has_idempotency_key: true })).toContain('# The log keeps no idempotency keys')
  })

  test.each([
    [{ request_body: { number: '[redacted]' } }],
    [{ request_body: { note: '************4242' } }],
    [{ query: { filter: 'email:[redacted]' } }],
  ])('sends nothing that was masked: %j', (fields) => {
    expect(wordsOfShell(copied(fields))).toEqual([])
    expect(copied(fields)).toMatch(/^# The log keeps no secrets: .*“(?:\[redacted\]|\*+)”/m)
  })
})

test.each([
  ['/invoices/iv_1/capture', {}, 'iv_1'],
  ['/cards', { invoice_id: 'iv_2' }, 'iv_2'],
  ['/cards', { invoice_id: 'x/../iv_2' }, null],
  ['/customers', {}, null],
])('a request to %s with %j is about the payment %s', (path, body, id) => {
  expect(invoiceOf({ path, request_body: body })).toBe(id)
})
