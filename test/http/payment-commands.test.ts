import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Command } from '../../domain/command.ts'
import { CommandNoteEntity } from '../../src/persistence/entities/command-note.ts'
import { interfaceForFile } from './interface.ts'
import { AUTHORIZED, COMPLETED, createPlayedPayment, SOURCE } from './played-payment.ts'

const api = interfaceForFile()
const payment = createPlayedPayment(api)

beforeEach(() => payment.begin())

const WITH_KEY = { headers: { 'idempotency-key': 'order-1' } }
/** Under its lock the payment claims the key by this, so that a repeated request moves no money. */
const CLAIMS = { idempotency: { id: expect.stringMatching(/^[0-9a-f]{64}$/) } }

describe('a command', () => {
  test('names the payment as its title does, and carries neither card data nor text', async () => {
    payment.play({ kind: 'done' }, AUTHORIZED)
    await payment.post('authorize', { ...SOURCE, incremental: true })
    expect(api.payments.sent).toEqual([
      {
        payment: {
          projectId: api.merchant.projectId,
          environment: 'sandbox',
          invoiceId: payment.invoiceId,
          amountMinor: 2900,
          currency: 'EUR',
          orderId: 'A-1',
        },
        command: {
          kind: 'authorize',
          currency: 'EUR',
          operationId: expect.stringMatching(/^tr_op_/),
          actor: 'merchant',
          deadline: api.clock.now().getTime() + 60_000,
          source: SOURCE.source,
          preferredScheme: null,
          initialSchemeTransactionId: null,
          incremental: true,
          mayFallBackToSale: false,
          saveSource: false,
          autoCaptureAt: null,
          autoCaptureAmountMinor: null,
          autoCaptureDetailIds: null,
          capture: null,
          idempotency: null,
          named: ['incremental'],
        } satisfies Command | Record<string, unknown>,
      },
    ])
  })

  test('accepts an instant exactly seven days ahead', async () => {
    payment.play({ kind: 'done' }, AUTHORIZED)
    const { status } = await payment.post('authorize', { ...SOURCE, auto_capture_at: '2026-11-28T09:00:00Z' })
    expect(status).toBe(200)
  })

  test('accepts every option that asks for nothing', async () => {
    payment.play({ kind: 'done' }, AUTHORIZED)
    const { status } = await payment.post('authorize', {
      ...SOURCE,
      authorize_only: true,
      auto_capture_at: null,
      capture_amount: null,
      capture_type: 'final',
      invoice_detail_ids: [],
      override_mac_blocking: true,
      allow_fallback_to_sale: true,
      save_source: false,
      client_secret: 'ivs_x',
      enable_three_d_s_2: true,
      synchronous: true,
      authenticate_only: false,
      metadata: {},
      device: {},
      split_allocations: [],
      external_three_d_s: null,
    })
    expect(status).toBe(200)
  })

  test.each([
    ['increment_authorization', { amount: '5.00' }, { kind: 'increment', amountMinor: 500 }],
    ['void', {}, { kind: 'void', amountMinor: null, reason: null }],
    ['void', { amount: '5.00' }, { kind: 'void', amountMinor: 500, reason: null }],
    ['void', { amount: null }, { kind: 'void', amountMinor: null, reason: null }],
    ['capture', {}, { kind: 'capture', amountMinor: null, detailIds: null, isFinal: true, wantsRest: false }],
    ['capture', { capture_amount: '5.00' }, { kind: 'capture', amountMinor: 500, isFinal: true }],
    ['capture', { capture_amount: '5.00', capture_type: 'non-final' }, { amountMinor: 500, isFinal: false }],
    ['capture', { capture_type: 'final' }, { amountMinor: null, isFinal: true, wantsRest: true }],
    [
      'capture',
      { auto_capture_at: '2026-11-22T09:00:00Z' },
      {
        kind: 'schedule-capture',
        autoCaptureAt: Date.parse('2026-11-22T09:00:00Z'),
        autoCaptureAmountMinor: null,
        autoCaptureDetailIds: null,
      },
    ],
    ['refunds', {}, { kind: 'refund', refundId: expect.stringMatching(/^refd_/), amountMinor: null, reason: 'other' }],
    ['refunds', { amount: '5.00', reason: 'duplicate' }, { kind: 'refund', amountMinor: 500, reason: 'duplicate' }],
  ])('%s with %j, and claims the idempotency key', async (verb, body, expected) => {
    await payment.record(verb === 'refunds' ? COMPLETED : { ...AUTHORIZED, incremental: true })
    payment.play({ kind: 'done' })
    const { status } = await api.merchant.client.post(`/invoices/${payment.invoiceId}/${verb}`, body, WITH_KEY)
    expect(status).toBe(200)
    expect(api.payments.sent.map(({ command }) => command)).toMatchObject([{ ...expected, ...CLAIMS }])
  })

  test.each(['authorize', 'capture', 'three-d-s'])('%s with a source claims the idempotency key', async (verb) => {
    payment.play({ kind: 'done' }, AUTHORIZED)
    await api.merchant.client.post(`/invoices/${payment.invoiceId}/${verb}`, SOURCE, WITH_KEY)
    expect(api.payments.sent).toMatchObject([{ command: { kind: 'authorize', ...CLAIMS } }])
  })

  test('takes a continuation for a source, and carries nothing of what stands in it but a known word', async () => {
    const continuation = { url: 'https://evil.example/?token=test-valid', body: 'Ann Example' }
    const source = `gway_req_${Buffer.from(JSON.stringify(continuation)).toString('base64')}`
    payment.play({ kind: 'done' }, AUTHORIZED)
    expect((await payment.post('authorize', { source })).status).toBe(200)
    expect(api.payments.sent[0]?.command).toMatchObject({ source: 'gway_req_test-valid' })
  })

  test('to refund keeps the texts of the merchant out of histories', async () => {
    const transaction = await payment.record(COMPLETED)
    payment.play({ kind: 'done' })
    const body = { amount: '5.00', information: 'Ann Example', metadata: { shelf: 'B 12' } }
    const { status } = await api.merchant.client.post(`/transactions/${transaction.id}/refunds`, body, WITH_KEY)
    expect(status).toBe(200)
    const [sent] = api.payments.sent
    expect(sent).toMatchObject({ payment: { invoiceId: payment.invoiceId }, command: { kind: 'refund', ...CLAIMS } })
    expect(JSON.stringify(sent)).not.toMatch(/Ann Example|B 12/)
    const em = api.database.orm.em.fork()
    const note = await em.findOneOrFail(CommandNoteEntity, { operationId: sent?.command.operationId ?? '' })
    expect(note.content).toEqual({ information: 'Ann Example', metadata: { shelf: 'B 12' } })
  })
})
