/** What a dispute is about, in words, whatever the gateway calls it. */
import type { PaymentDispute } from '../../../../../src/dashboard/contract.ts'
import type { Tone } from '../../words/status.ts'
import { t } from '../../words/words.ts'

/**
 * The first that fits. Gateways name a reason by a word (Stripe), by a sentence (Adyen), or by the code of the scheme: Visa's
 * 10.4, Mastercard's 4837. Sources: Stripe, "Dispute categories"; Visa's and Mastercard's chargeback guides.
 */
const KINDS = [
  ['notReceived', /not[_ -]received|^13\.1$/],
  ['notAsDescribed', /unacceptable|not[_ -]as[_ -]described|defective|counterfeit|^13\.[345]$|^4853/],
  ['notCredited', /credit[_ -]not|not[_ -]credited|^13\.6$/],
  ['duplicate', /duplicate|^12\.6|^4834/],
  ['cancelled', /cancel|recurring|^13\.[27]$|^4841/],
  ['fraud', /fraud|stolen|lost|unauthori[sz]ed|not[_ -]authori[sz]ed|unrecogni[sz]ed|^10\.|^48(37|63|70|71)/],
] as const

type Kind = (typeof KINDS)[number][0] | 'other'

const kindOf = (reason: string | null): Kind => {
  const word = reason?.toLowerCase() ?? ''
  return KINDS.find(([, pattern]) => pattern.test(word))?.[0] ?? 'other'
}

/** A reason that nobody knows stays as the gateway has told it. */
export function reasonWords(reason: string | null): string {
  const kind = kindOf(reason)
  return kind === 'other' && reason !== null ? reason : t(`disputes.reasons.${kind}`)
}

export function evidenceWords(reason: string | null): string {
  return t(`disputes.evidence.${kindOf(reason)}`)
}

type Status = PaymentDispute['status']

export const statusWords = ({ status, is_answered }: Pick<PaymentDispute, 'status' | 'is_answered'>): string =>
  t(`disputes.status.${is_answered ? 'answered' : status}`)

const TONES: Readonly<Record<Status, Tone>> = {
  notice: 'waiting',
  inquiry: 'waiting',
  closed: 'good',
  open: 'bad',
  won: 'good',
  lost: 'bad',
}

export const toneOf = ({ status, is_answered }: Pick<PaymentDispute, 'status' | 'is_answered'>): Tone =>
  is_answered ? 'waiting' : TONES[status]

export const isOver = ({ evidence_due_at }: Pick<PaymentDispute, 'evidence_due_at'>): boolean =>
  evidence_due_at !== null && Date.parse(evidence_due_at) <= Date.now()
