import { describe, expect, test } from '@jest/globals'
import { FAULT_NAMES, type FaultName } from '../../stand-ins/engine/faults.ts'
import type { Entry } from '../../stand-ins/engine/ledger.ts'
import { openForFile } from '../support/for-file.ts'
import type { PaymentBooks } from '../support/payment-books.ts'
import { faultsOfDisputes, GATEWAYS } from './stand-in.ts'

const CASES = GATEWAYS.map((gateway) => ({ ...gateway, standIn: openForFile(() => gateway.start()) }))

test.each(CASES)('$title has every fault but those that it lacks', ({ standIn, lacks }) => {
  const has = (name: FaultName) => {
    try {
      standIn.faults.set([{ name }])
      return true
    } catch {
      return false
    }
  }
  expect(FAULT_NAMES.filter((name) => !has(name))).toEqual(lacks)
})

describe('a chargeback that was won at the gateway', () => {
  const ledger = (['dispute', 'dispute-won'] as const).map(
    (kind) => ({ kind, invoice_id: 'iv_1', amount_minor: 2_000 }) as Entry,
  )
  const WON = { status: 'won', amountMinor: 2_000 }
  const BOTH = ['created', 'won']

  test.each<[string, object[], string[], string[]]>([
    ['is sound where it is recorded and told', [WON], BOTH, []],
    ['may not be open', [{ ...WON, status: 'open' }], BOTH, ['dispute-won: 2000 at the gateway, and 0 is recorded']],
    [
      'may not be told twice',
      [WON],
      ['created', 'created', 'won'],
      ['dispute: 1 at the gateway, and transaction.chargeback.created was told 2 times'],
    ],
    [
      'may not be lost as well',
      [WON, { ...WON, status: 'lost' }],
      BOTH,
      ['dispute: 2000 at the gateway, and 4000 is recorded', 'dispute-lost: 0 at the gateway, and 2000 is recorded'],
    ],
  ])('%s', (_, disputes, told, faults) => {
    const events = told.map((name) => ({ name: `transaction.chargeback.${name}` }))
    const books = { transaction: { invoiceId: 'iv_1', disputes }, events } as unknown as PaymentBooks
    expect(faultsOfDisputes(books, ledger)).toEqual(faults)
  })
})
