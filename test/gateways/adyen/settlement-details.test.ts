import { describe, expect, test } from '@jest/globals'
import { LINES_MAX, readSettlementDetails } from '../../../src/gateways/adyen/settlement-details.ts'

const HEADERS = [
  'Company Account',
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Payment Method',
  'Creation Date',
  'TimeZone',
  'Type',
  'Modification Reference',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
  'Exchange Rate',
  'Net Currency',
  'Net Debit (NC)',
  'Net Credit (NC)',
  'Commission (NC)',
  'Batch Number',
]

/** A line as Adyen's sample report has it. */
const SETTLED: Readonly<Record<string, string>> = {
  'Company Account': 'Shop',
  'Merchant Account': 'ShopEU',
  'Psp Reference': '8835513412345678',
  'Merchant Reference': 'tr_op_1',
  'Payment Method': 'visa',
  'Creation Date': '2026-11-21 23:59:59',
  TimeZone: 'CET',
  Type: 'Settled',
  'Modification Reference': '8825513498765432',
  'Gross Currency': 'EUR',
  'Gross Credit (GC)': '129.90',
  'Net Currency': 'EUR',
  'Net Credit (NC)': '128.10',
  'Commission (NC)': '1.80',
  'Batch Number': '12',
}

const cell = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
const reportOf = (changes: readonly Readonly<Record<string, string>>[], headers = HEADERS) =>
  [headers, ...changes.map((change) => headers.map((name) => ({ ...SETTLED, ...change })[name] ?? ''))]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')
const read = (changes: readonly Readonly<Record<string, string>>[], headers?: string[]) =>
  readSettlementDetails(reportOf(changes, headers), { merchantAccount: 'ShopEU' })
const lineOf = async (change: Readonly<Record<string, string>>) => {
  const reading = await read([change])
  return reading.kind === 'read' ? reading.lines[0] : reading
}

describe("Adyen's Settlement details report", () => {
  test('has a capture with its own reference, in the time zone that it names', async () => {
    expect(await read([{}])).toEqual({
      kind: 'read',
      lines: [
        {
          id: '12 Settled 8825513498765432 1',
          type: 'capture',
          state: 'booked',
          reference: 'tr_op_1',
          gatewayReference: '8825513498765432',
          amountMinor: 12_990,
          currency: 'EUR',
          bookedAt: Date.UTC(2026, 10, 21, 22, 59, 59),
        },
      ],
    })
  })

  const debit = { 'Gross Debit (GC)': '10.00', 'Gross Credit (GC)': '' }

  test.each([
    ['a refund', { Type: 'Refunded', ...debit }, { type: 'refund', state: 'booked', amountMinor: 1_000 }],
    ['a refund that failed after all', { Type: 'RefundedReversed' }, { type: 'refund', state: 'reversed' }],
    ['a capture that failed after all', { Type: 'CaptureFailed', ...debit }, { type: 'capture', state: 'reversed' }],
    ['a currency without decimals', { 'Gross Currency': 'JPY', 'Gross Credit (GC)': '500' }, { amountMinor: 500 }],
    ['a currency with three', { 'Gross Currency': 'KWD', 'Gross Credit (GC)': '1.500' }, { amountMinor: 1_500 }],
    ['the reference of the step where it is there', { 'Merchant Reference': '' }, { reference: null }],
    ['a sale by its payment', { 'Modification Reference': '' }, { gatewayReference: '8835513412345678' }],
    ['a time in California', { TimeZone: 'PST' }, { bookedAt: Date.UTC(2026, 10, 22, 7, 59, 59) }],
    ['a time in Sydney', { TimeZone: 'AEDT' }, { bookedAt: Date.UTC(2026, 10, 21, 12, 59, 59) }],
    ['a zone that nobody knows as UTC', { TimeZone: 'XXX' }, { bookedAt: Date.UTC(2026, 10, 21, 23, 59, 59) }],
  ])('has %s', async (_, change, line) => {
    expect(await lineOf(change)).toMatchObject(line)
  })

  test('has the reference of a capture before that of its payment', async () => {
    const reading = await read(
      [{ 'Modification Merchant Reference': 'tr_op_2' }],
      [...HEADERS, 'Modification Merchant Reference'],
    )
    expect(reading).toMatchObject({ lines: [{ reference: 'tr_op_2' }] })
  })

  test('has the same step twice as two lines, and another batch as another', async () => {
    const reading = await read([{}, {}, { 'Batch Number': '13' }])
    const ids = reading.kind === 'read' ? reading.lines.map(({ id }) => id) : []
    expect(ids).toEqual([
      '12 Settled 8825513498765432 1',
      '12 Settled 8825513498765432 2',
      '13 Settled 8825513498765432 1',
    ])
    expect(await read([{}, {}, { 'Batch Number': '13' }])).toEqual(reading)
  })

  test('leaves out fees, payouts, disputes, other merchant accounts, and what nobody has heard of', async () => {
    const types = ['Fee', 'MerchantPayout', 'Chargeback', 'ChargebackReversed', 'DepositCorrection', 'Blessed']
    const others = types.map((Type) => ({ Type, 'Gross Currency': '', 'Gross Credit (GC)': '' }))
    expect(await read([...others, { 'Merchant Account': 'ShopUS' }])).toEqual({ kind: 'read', lines: [] })
  })

  test('may have columns that are new, quoted fields, a byte order mark, and lines of other lengths', async () => {
    const text = `\ufeff${reportOf([{ 'Payment Method': 'vi"sa,\nclassic' }])}\r\n\r\nTotal\r\n`
    expect(await readSettlementDetails(text, { merchantAccount: 'ShopEU' })).toMatchObject({
      kind: 'read',
      lines: [{}],
    })
  })

  test.each([
    ['nothing', '', /no lines/],
    ['no table', '"', /no CSV/],
    ['another table', 'a,b\n1,2', /no column Merchant Account, Psp Reference/],
    [
      'a report without a column that is needed',
      reportOf(
        [{}],
        HEADERS.filter((name) => name !== 'Type'),
      ),
      /no column Type\./,
    ],
    ['the report of another account', reportOf([{ 'Merchant Account': 'ShopUS' }]), /account ShopEU/],
    ['an amount that is none', reportOf([{ 'Gross Credit (GC)': '1,299.0' }]), /Line 1 of the account has no amount/],
    ['a currency that is none', reportOf([{}, { 'Gross Currency': 'EURO' }]), /Line 2 of the account/],
    ['a date that is none', reportOf([{ 'Creation Date': '21.11.2026' }]), /Line 1 of the account/],
    ['longer than a day has', reportOf(Array(LINES_MAX + 1).fill({})), /more than 10000 lines; hand it in in parts/],
    ['one line without an end', ','.repeat(20_000), /more than 16384 bytes/],
    ['one field without an end', reportOf([{ 'Payment Method': '\n'.repeat(20_000) }]), /more than 16384 bytes/],
    ['a date that there is not', reportOf([{ 'Creation Date': '2026-13-41 10:00:00' }]), /Line 1 of the account/],
  ])('is not taken for one where it is %s', async (_, content, reason) => {
    expect(await readSettlementDetails(content, { merchantAccount: 'ShopEU' })).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(reason),
    })
  })

  test('of 8,000 lines lets others have their turn hundreds of times while it is read', async () => {
    const content = reportOf(Array(8_000).fill({}))
    let turns = 0
    let isRead = false
    const take = () => {
      turns += 1
      if (!isRead) setImmediate(take)
    }
    setImmediate(take)
    expect(await readSettlementDetails(content, { merchantAccount: 'ShopEU' })).toMatchObject({ kind: 'read' })
    isRead = true
    expect(turns).toBeGreaterThan(400)
  })
})
