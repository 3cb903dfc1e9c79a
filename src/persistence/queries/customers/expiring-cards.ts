import { CardEntity, type CardRow } from '../../entities/card.ts'
import { CustomerEntity, type CustomerRow } from '../../entities/customer.ts'
import { CustomerTokenEntity, type CustomerTokenRow } from '../../entities/customer-token.ts'
import type { EntityManager } from '../../orm.ts'

/** A calendar month; January is 1. */
export interface Month {
  year: number
  month: number
}

/** The card of a stored source, locked until the end of the database transaction, with its token and customer. */
export interface ExpiringCard {
  card: CardRow
  token: CustomerTokenRow
  customer: CustomerRow
}

/**
 * Locks some chargeable stored cards that expire in these months and whose expiry was not announced to the merchant yet.
 * Cards and customers locked by another transaction are left for the next time, so this never waits. The customer is locked
 * as well, so that it is not deleted before its event is written.
 */
export async function lockExpiringCards(
  em: EntityManager,
  { first, last }: { first: Month; last: Month },
  limit: number,
): Promise<ExpiringCard[]> {
  const found = await em.execute<{ card_id: string; token_id: string; customer_id: string }[]>(
    `select card.id as card_id, token.id as token_id, customer.id as customer_id
       from card
       join customer_token token on token.id = card.used_by_token_id
       join customer on customer.id = token.customer_id
      where card.used_by_token_id is not null and card.deleted_at is null
        and card.expiry_announced is distinct from card.exp_year * 100 + card.exp_month
        and (card.exp_year, card.exp_month) >= (?, ?) and (card.exp_year, card.exp_month) <= (?, ?)
        and token.is_chargeable and token.deleted_at is null and customer.deleted_at is null
      order by card.exp_year, card.exp_month, card.id limit ?
        for update of card skip locked
        for key share of customer skip locked`,
    [first.year, first.month, last.year, last.month, limit],
  )
  const byId = async <Row extends { id: string }>(rows: Promise<Row[]>) =>
    new Map((await rows).map((row) => [row.id, row]))
  const cards = await byId(em.find(CardEntity, { id: found.map(({ card_id }) => card_id) }))
  const tokens = await byId(em.find(CustomerTokenEntity, { id: found.map(({ token_id }) => token_id) }))
  const customers = await byId(em.find(CustomerEntity, { id: found.map(({ customer_id }) => customer_id) }))
  return found.flatMap(({ card_id, token_id, customer_id }) => {
    const [card, token, customer] = [cards.get(card_id), tokens.get(token_id), customers.get(customer_id)]
    return card === undefined || token === undefined || customer === undefined ? [] : [{ card, token, customer }]
  })
}
