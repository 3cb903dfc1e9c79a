import { describe, expect, test } from '@jest/globals'
import { CARD, INVOICE } from './endpoints.ts'
import { interfaceForFile } from './interface.ts'

const api = interfaceForFile()

describe('the list of requests', () => {
  const paths = ({ api_requests: listed }: { api_requests: { path: string }[] }) => listed.map(({ path }) => path)

  test('has the latest first, of its project only, without their bodies', async () => {
    const { client } = await api.makeMerchant({ sandbox: true })
    for (const path of ['/invoices/iv_1', '/cards/card_1', '/events/ev_1']) {
      await client.get(path)
      api.clock.advance(1000)
    }
    await api.flushRequestLog()
    const { body } = await client.get('/api-requests?limit=2')
    expect(body).toMatchObject({ success: true, count: 2, total_count: 3, has_more: true, limit: 2, order: 'desc' })
    expect(paths(body)).toEqual(['/events/ev_1', '/cards/card_1'])
    expect(body.api_requests[0]).toMatchObject({ method: 'GET', status: 404, error_type: 'resource.event.not-found' })
    expect(body.api_requests[0]).not.toHaveProperty('response_body')
    const next = await client.get(`/api-requests?limit=2&start_after=${body.api_requests[1].id}`)
    expect(paths(next.body)).toEqual(['/invoices/iv_1'])
  })

  test('is narrowed by what was asked and what was told', async () => {
    const { client } = await api.makeMerchant({ sandbox: true })
    await client.get('/invoices/iv_1')
    api.clock.advance(1000)
    const since = api.clock.now().toISOString()
    await client.post('/invoices', INVOICE, { headers: { 'Idempotency-Key': 'k' } })
    await client.post('/cards', { ...CARD, number: '1' })
    await api.flushRequestLog()
    for (const [filter, expected] of [
      ['status:404', ['/invoices/iv_1']],
      ['method:POST', ['/cards', '/invoices']],
      ['path:/invoices/iv_1', ['/invoices/iv_1']],
      ['error_type:card.invalid-number', ['/cards']],
      ['has_idempotency_key:true', ['/invoices']],
      [`created_at:>=${since}`, ['/cards', '/invoices']],
      [`created_at:<${since}`, ['/invoices/iv_1']],
    ] as const) {
      const { body } = await client.get(`/api-requests?filter=${encodeURIComponent(filter)}`)
      expect([filter, paths(body).sort()]).toEqual([filter, [...expected]])
    }
    const refused = await client.get('/api-requests?filter=status:2xx')
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'request.filter.invalid' } })
  })
})
