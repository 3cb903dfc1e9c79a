import type { BookedType, SettlementLine } from '../../../domain/books.ts'
import { gatewayOperationId } from './ids.ts'
import type { Entry, LedgerRequest, Result } from './ledger.ts'
import { scenarioOf } from './test-cards.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** When the money of a step is booked; null where it moves none. */
export function bookedAt({ type, askedAt }: LedgerRequest, { outcome, scenario }: Result): Date | null {
  if (outcome.kind !== 'approved' || bookedTypeOf(type, outcome) === null) return null
  const isLate = scenario !== null && scenarioOf(scenario).booked === 'late'
  return isLate ? new Date(askedAt.getTime() + DAY_MS) : askedAt
}

/** A sale is booked as a capture. */
function bookedTypeOf(
  type: LedgerRequest['type'],
  { isSale = false }: { isSale?: boolean | undefined },
): BookedType | null {
  if (type === 'capture' || type === 'refund') return type
  return type === 'authorization' && isSale ? 'capture' : null
}

/** A booked step as it stands in the simulator's list: usually one line. */
export function linesOf(entry: Entry & { bookedAt: Date }): SettlementLine[] {
  const { reference, type, outcome, amountMinor, currency, scenario } = entry
  const line: SettlementLine = {
    id: reference,
    type: type === 'refund' ? 'refund' : 'capture',
    state: 'booked',
    reference,
    gatewayReference: gatewayOperationId(type, reference),
    amountMinor: outcome.kind === 'approved' ? outcome.amountMinor : amountMinor,
    currency,
    bookedAt: entry.bookedAt.getTime(),
  }
  const takenBack: SettlementLine = { ...line, id: `${reference}-taken-back`, state: 'reversed' }
  // A refund that was approved, and has failed since.
  if (outcome.kind !== 'approved') return [line, takenBack]
  switch (scenario === null ? undefined : scenarioOf(scenario).booked) {
    case 'never':
      return []
    case 'twice':
      return [line, { ...line, id: `${reference}-again` }]
    case 'less':
      return [{ ...line, amountMinor: line.amountMinor - 1 }]
    case 'other-currency':
      return [{ ...line, currency: currency === 'USD' ? 'EUR' : 'USD' }]
    case 'taken-back':
      return [line, takenBack]
    case 'with-another':
      return [line, { ...line, id: `${reference}-other`, reference: null, gatewayReference: `sim_other_${reference}` }]
    default:
      return [line]
  }
}
