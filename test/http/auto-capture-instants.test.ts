import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Interface, startInterface } from './interface.ts'

const SOURCE = { source: `card_${'a'.repeat(32)}` }

let api: Interface

beforeAll(async () => {
  api = await startInterface()
  api.payments.play(() => ({ kind: 'refused', code: 'request.source.invalid', message: 'Only the command matters.' }))
})
afterAll(() => api.stop())

/** Asks for a capture at this instant while the clock shows `now`; gives the instant that the payment is told. */
async function scheduledAt(now: string, autoCaptureAt: unknown): Promise<string | { status: number; code: string }> {
  api.clock.advance(Date.parse(now) - api.clock.now().getTime())
  const { body: created } = await api.merchant.client.post('/invoices', { name: 'Order', amount: '1', currency: 'EUR' })
  api.payments.sent.length = 0
  const path = `/invoices/${created.invoice.id}/authorize`
  const { status, body } = await api.merchant.client.post(path, { ...SOURCE, auto_capture_at: autoCaptureAt })
  const [sent] = api.payments.sent
  if (sent === undefined) return { status, code: body.error_type }
  return 'autoCaptureAt' in sent.command ? new Date(sent.command.autoCaptureAt ?? 0).toISOString() : 'no instant'
}

describe('the instant of a scheduled capture', () => {
  test.each([
    ['in winter', '2027-01-10T00:00:00Z', '2027-01-12T12:00:00+01:00', '2027-01-12T11:00:00.000Z'],
    ['in summer', '2027-07-10T00:00:00Z', '2027-07-12T12:00:00+02:00', '2027-07-12T10:00:00.000Z'],
    ['right before clocks go forward', '2027-03-25T00:00:00Z', '2027-03-28T01:59:59+01:00', '2027-03-28T00:59:59.000Z'],
    ['a second later', '2027-03-25T00:00:00Z', '2027-03-28T03:00:00+02:00', '2027-03-28T01:00:00.000Z'],
    [
      'on the night that clocks skip an hour',
      '2027-03-25T00:00:00Z',
      '2027-03-28T02:30:00+01:00',
      '2027-03-28T01:30:00.000Z',
    ],
    [
      'in the hour that comes twice, first',
      '2027-10-29T00:00:00Z',
      '2027-10-31T02:30:00+02:00',
      '2027-10-31T00:30:00.000Z',
    ],
    [
      'in the hour that comes twice, again',
      '2027-10-29T00:00:00Z',
      '2027-10-31T02:30:00+01:00',
      '2027-10-31T01:30:00.000Z',
    ],
    ['behind UTC', '2027-11-05T00:00:00Z', '2027-11-07T01:30:00-05:00', '2027-11-07T06:30:00.000Z'],
    ['where offsets have half hours', '2027-11-05T00:00:00Z', '2027-11-07T05:45:00+05:45', '2027-11-07T00:00:00.000Z'],
    ['in UTC', '2027-11-05T00:00:00Z', '2027-11-07T01:30:00Z', '2027-11-07T01:30:00.000Z'],
  ])('is converted by its offset and never stripped of it: %s', async (_, now, written, expected) => {
    expect(await scheduledAt(now, written)).toBe(expected)
  })

  test.each([
    ['without an offset', '2027-11-26T09:00:00'],
    ['of a zone that only people know', '2027-11-26T09:00:00 Europe/Paris'],
    ['in the past by its offset alone', '2027-11-25T10:00:00+02:00'],
    ['that is now', '2027-11-25T09:00:00Z'],
    ['later than an authorization lasts by its offset alone', '2027-12-02T09:00:00-00:01'],
    ['a millisecond later than an authorization lasts', '2027-12-02T09:00:00.001Z'],
  ])('is refused %s', async (_, written) => {
    expect(await scheduledAt('2027-11-25T09:00:00Z', written)).toEqual({
      status: 400,
      code: 'request.validation.invalid-date',
    })
  })

  test('may be the last one of an authorization, whatever its offset', async () => {
    for (const written of ['2027-12-02T09:00:00Z', '2027-12-02T00:00:00-09:00']) {
      expect(await scheduledAt('2027-11-25T09:00:00Z', written)).toBe('2027-12-02T09:00:00.000Z')
    }
  })
})

describe('the ways of ISO 8601', () => {
  const NOW = '2026-11-21T09:00:00Z'

  test.each(['2026-11-22T10:00:00Z', '2026-11-22T10:00z', '2026-11-22T12:00:00+0200', '2026-11-22T12:00:00,000+02'])(
    'of one instant are that instant: %s',
    async (written) => {
      expect(await scheduledAt(NOW, written)).toBe('2026-11-22T10:00:00.000Z')
      const invoice = { name: 'Order', amount: '1', currency: 'EUR', auto_capture_at: written, expires_at: written }
      const { body } = await api.merchant.client.post('/invoices', invoice)
      const read = new Date('2026-11-22T10:00:00Z').getTime()
      expect(Date.parse(body.invoice.auto_capture_at)).toBe(read)
      expect(Date.parse(body.invoice.expires_at)).toBe(read)
      const filter = encodeURIComponent(`created_at:>=${written}`)
      expect((await api.merchant.client.get(`/invoices?filter=${filter}`)).status).toBe(200)
    },
  )

  test('lose their + in a form and in a query, and the answer says so', async () => {
    const { body: created } = await api.merchant.client.post('/invoices', { name: 'O', amount: '1', currency: 'EUR' })
    const form = `source=${SOURCE.source}&auto_capture_at=2026-11-22T12:00:00+02:00`
    const path = `/invoices/${created.invoice.id}/authorize`
    expect(await api.merchant.client.post(path, form, { form: true })).toMatchObject({
      status: 400,
      body: {
        error_type: 'request.validation.invalid-date',
        message: expect.stringContaining(
          'came as "2026-11-22T12:00:00 02:00"; in a form or a query a + is written %2B',
        ),
      },
    })
    const listed = await api.merchant.client.get('/invoices?filter=created_at:>=2026-11-22T12:00:00+02:00')
    expect(listed).toMatchObject({ status: 400, body: { message: expect.stringContaining('%2B') } })
  })
})
