import { type DeclineCounts, NETWORK_WINDOWS } from '../../../../domain/network-limits.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** A card payment as its network counts it. */
export interface CountedPayment extends Scope {
  cardFingerprint: string
  scheme: string
  amountMinor: number
  currency: string
}

/**
 * Counts the declines of a card on one scheme that the network knows of, over all rows of the card and all gateways of the
 * project. Not counted are a gateway's own refusals, which carry neither advice nor a card error, and authorizations that
 * were not sent.
 */
export async function countDeclines(em: EntityManager, payment: CountedPayment, now: Date): Promise<DeclineCounts> {
  const { projectId, sandbox, cardFingerprint, scheme, amountMinor, currency } = payment
  const daysAgo = (windowMs: number) => new Date(now.getTime() - windowMs)
  const [counts] = await em.execute<DeclineCounts[]>(
    `with answered as (
       select operation.outcome, operation.merchant_advice_code, operation.amount_minor, operation.currency,
              operation.created_at
         from card join operation on operation.card_id = card.id
        where card.project_id = ? and card.sandbox = ? and card.fingerprint = ?
          and operation.type = 'authorization' and not operation.is_attempt and not operation.is_not_sent
          and coalesce(operation.scheme_used, card.scheme) = ?
          and (operation.outcome = 'succeeded' or operation.outcome = 'failed'
               and (operation.merchant_advice_code is not null or starts_with(operation.error_code, 'card.')))),
     declined as (
       select *, created_at > coalesce((select max(created_at) from answered where outcome = 'succeeded'), '-infinity')
              as since_approval
         from answered where outcome = 'failed')
     select count(*) filter (where since_approval and merchant_advice_code = '1')::integer as "neverApproved",
            count(*) filter (where since_approval and merchant_advice_code is distinct from '1' and created_at > ?)::integer
              as "sinceApprovalInMonth",
            count(*) filter (where created_at > ?)::integer as "inDay",
            count(*) filter (where amount_minor = ? and currency = ? and created_at > ?)::integer as "overAmountInMonth"
       from declined`,
    [
      ...[projectId, sandbox, cardFingerprint, scheme, daysAgo(NETWORK_WINDOWS.month), daysAgo(NETWORK_WINDOWS.day)],
      ...[amountMinor, currency, daysAgo(NETWORK_WINDOWS.month)],
    ],
  )
  if (counts === undefined) throw new Error('A count has a row.')
  return counts
}
