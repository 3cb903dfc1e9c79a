import { describe, expect, test } from '@jest/globals'
import { type Exchange, recordExchanges } from './exchanges.ts'
import { NOTHING_KNOWN } from './find-secrets.ts'

const CLIENT_SECRET = `ivs_${'x'.repeat(43)}`
const SIGNING_SECRET = `whsec_${'y'.repeat(43)}=`

const answer = (
  method: string,
  path: string,
  more: { text?: string; headers?: object; status?: number } = {},
): Exchange => ({
  method,
  path,
  status: more.status ?? 200,
  headers: new Headers({ ...more.headers }),
  text: more.text ?? '{}',
})

const secretHeader = { 'X-Service-Client-Secret': CLIENT_SECRET }
const endpoint = (fields: object) => JSON.stringify({ success: true, webhook_endpoint: { id: 'whe_1', ...fields } })

function findingsOf(...answers: Exchange[]): string[] {
  const exchanges = recordExchanges()
  for (const each of answers) exchanges.add(each)
  return exchanges.inspect(NOTHING_KNOWN)
}

describe('an answer', () => {
  test('tells a secret where it is told on purpose', () => {
    const exchanges = recordExchanges()
    exchanges.add(answer('POST', '/invoices', { headers: secretHeader }))
    exchanges.add(answer('GET', '/invoices/iv_1?expand=customer', { headers: secretHeader }))
    exchanges.add(answer('POST', '/webhook-endpoints', { text: endpoint({ secret: SIGNING_SECRET }) }))
    exchanges.add(
      answer('POST', '/webhook-endpoints/whe_1/rotate-secret', { text: endpoint({ secret: SIGNING_SECRET }) }),
    )
    expect(exchanges.inspect(NOTHING_KNOWN)).toEqual([])
    expect(exchanges.toldSecrets()).toEqual([CLIENT_SECRET, SIGNING_SECRET])
  })

  test.each([
    ['in the header of another', answer('GET', '/invoices', { headers: secretHeader })],
    ['in the header of what was refused', answer('GET', '/invoices/iv_1', { headers: secretHeader, status: 404 })],
    ['in another header', answer('POST', '/invoices', { headers: { 'x-other': CLIENT_SECRET } })],
    ['in a body', answer('POST', '/invoices', { text: JSON.stringify({ client_secret: CLIENT_SECRET }) })],
    [
      'in a body beside its header',
      answer('POST', '/invoices', { headers: secretHeader, text: JSON.stringify({ a: CLIENT_SECRET }) }),
    ],
    [
      'when an endpoint is read',
      answer('GET', '/webhook-endpoints/whe_1', { text: endpoint({ secret: SIGNING_SECRET }) }),
    ],
    [
      'twice',
      answer('POST', '/webhook-endpoints', {
        text: endpoint({ secret: SIGNING_SECRET, url: `https://a.example/${SIGNING_SECRET}` }),
      }),
    ],
    ['that is a card number', answer('GET', '/cards/card_1', { text: '{"number":"4242424242424242"}' })],
  ])('is found where it tells one %s', (_, told) => {
    const findings = findingsOf(answer('GET', '/events'), told)
    expect(findings.length).toBeGreaterThan(0)
    expect(findings[0]).toContain(`${told.method} ${told.path}`)
  })

  test.each([
    ['POST', '/gateways/stripe/gateway-configurations'],
    ['PUT', '/gateway-configurations/gway_conf_1'],
  ])('is found where it tells a credential that was sent, by %s %s or later', (method, path) => {
    const sent = JSON.stringify({ credentials: { notification_key: 'a key of this test', other: 'short' } })
    const told = JSON.stringify({ message: 'a key of this test is short' })
    expect(findingsOf({ ...answer(method, path, { text: told }), sent })).toHaveLength(1)
    expect(findingsOf({ ...answer(method, path), sent }, answer('GET', '/events', { text: told }))).toHaveLength(1)
    expect(findingsOf(answer(method, path), answer('GET', '/events', { text: told }))).toEqual([])
  })

  test('is found where it tells in disguise what another told on purpose', () => {
    const hidden = Buffer.from(`secret=${CLIENT_SECRET}`).toString('base64')
    expect(
      findingsOf(answer('POST', '/invoices', { headers: secretHeader }), answer('GET', '/events', { text: hidden })),
    ).toHaveLength(1)
  })
})
