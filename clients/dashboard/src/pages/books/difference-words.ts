import type { ReconciliationDifference } from '../../../../node/src/generated/schemas.ts'
import { money } from '../../words/format.ts'
import { t } from '../../words/words.ts'

type Told = Pick<ReconciliationDifference, 'kind' | 'type' | 'ours' | 'gateways'>

const SENTENCES = {
  'missing-at-gateway': 'missingAtGateway',
  'missing-in-books': 'missingInBooks',
  amount: 'amount',
  currency: 'amount',
  twice: 'twice',
  state: 'state',
} as const

/** What both sides do not agree about, as a sentence. */
export function differenceWords({ kind, type, ours, gateways }: Told): string {
  const [our = '', their = ''] = [ours, gateways].map((side) => (side ? money(side.amount, side.currency) : ''))
  const undone = gateways?.state === 'reversed' ? 'yes' : 'no'
  return t(`books.difference.${SENTENCES[kind]}`, { type, our, their, undone, state: ours?.state ?? 'open' })
}
