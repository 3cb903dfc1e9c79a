import type { Entry, Ledger } from '../../stand-ins/engine/ledger.ts'
import type { GatewayHarness } from './contract/harness.ts'

/** The gateway's own books, by our invoice, as the ledger of its stand-in has them. */
export function ledgerBooks({
  entries,
}: Ledger): Pick<GatewayHarness, 'countAuthorizations' | 'capturedMinor' | 'refundedMinor'> {
  const amountsOf = (invoiceId: string, wanted: Entry['kind']) =>
    entries.flatMap(({ kind, invoice_id: id, amount_minor: amount }) =>
      kind === wanted && id === invoiceId ? [amount] : [],
    )
  const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
  return {
    countAuthorizations: async (invoiceId) => amountsOf(invoiceId, 'authorization').length,
    capturedMinor: async (invoiceId) => sumOf(amountsOf(invoiceId, 'capture')),
    refundedMinor: async (invoiceId) => sumOf(amountsOf(invoiceId, 'refund')),
  }
}
