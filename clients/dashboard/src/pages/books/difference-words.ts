import type { ReconciliationDifference } from '../../../../node/src/generated/schemas.ts'
import { money } from '../../words/format.ts'

type Told = Pick<ReconciliationDifference, 'kind' | 'type' | 'ours' | 'gateways'>

const OUR_STATES = {
  succeeded: 'as done',
  failed: 'as failed',
  open: 'as not decided yet',
} as const

/** What both sides do not agree about, as a sentence. */
export function differenceWords({ kind, type, ours, gateways }: Told): string {
  const [our, their] = [ours, gateways].map((side) => side && money(side.amount, side.currency))
  switch (kind) {
    case 'missing-at-gateway':
      return `Our books have a ${type} of ${our}, the gateway has none.`
    case 'missing-in-books':
      return `The gateway booked a ${type} of ${their}, our books have none.`
    case 'amount':
    case 'currency':
      return `The gateway booked a ${type} of ${their}, our books have ${our}.`
    case 'twice':
      return `The gateway booked a ${type} of ${their} more than once, our books have it once.`
    case 'state': {
      const undone = gateways?.state === 'reversed' ? ' and took it back' : ''
      return `The gateway booked a ${type} of ${their}${undone}, our books have it ${OUR_STATES[ours?.state ?? 'open']}.`
    }
  }
}
