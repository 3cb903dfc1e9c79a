/**
 * The simulator's statements, one per request. Each of them is a transaction of its own, is done once however often
 * its reference comes, and holds the lock on the authorization from the check to the change.
 *
 * Parameters of all: $1 reference, $2 invoice id, $3 gateway authorization id, $4 amount, $5 currency, $6 asked at.
 */

/** The entry under the reference: written by the first to ask, counted by the others, who see the first one's outcome. */
const asked = (type: string, scenario: string) => `
asked as (
  insert into simulator.request as r
    (reference, type, invoice_id, gateway_authorization_id, amount_minor, currency, scenario, outcome, asked_at)
  select $1, '${type}', $2, $3, $4::bigint, $5, ${scenario}, outcome, $6::timestamptz from verdict
  on conflict (reference) do update set times_asked = r.times_asked + 1
  returning *
)`

const answered = (type: string) => `
select outcome, scenario,
  type = '${type}' and invoice_id = $2 and amount_minor = $4::bigint and currency = $5
    and gateway_authorization_id is not distinct from $3 as is_same_request
from asked`

/** True in a statement that wrote the entry, false in one that found it. */
const IS_FIRST_AND_APPROVED = `asked.times_asked = 1 and asked.outcome ->> 'kind' = 'approved'`

/** $7 scenario, $8 incremental, $9 outcome, $10 outcome of the card's first use, $11 expiry of such a card. */
export const AUTHORIZE = `
with first_use as (
  insert into simulator.used_card (scenario, expiry, first_reference)
  select $7, $11, $1 where $11::text is not null
  on conflict do nothing
  returning first_reference
), verdict as (
  select case when exists (select from first_use) then $10::jsonb else $9::jsonb end as outcome
), ${asked('authorization', '$7')}, held as (
  insert into simulator.held_authorization (id, scenario, currency, incremental, authorized_minor)
  select $3, $7, $5, $8::boolean, $4::bigint from asked where ${IS_FIRST_AND_APPROVED}
)
${answered('authorization')}`

interface FollowUp {
  type: string
  /** When the authorization takes no such step any more. */
  closed: string
  /** When the amount is not one that the authorization allows. */
  amount: string
  change: string
}

/** $7 approval, $8 refusals by reason, $9 declines by scenario. */
const followUp = ({ type, closed, amount, change }: FollowUp) => `
with held as materialized (
  select *, authorized_minor - captured_minor - voided_minor as remaining_minor
  from simulator.held_authorization where id = $3 for update
), verdict as (
  select held.scenario, case
    when held.id is null then $8::jsonb -> 'unknown'
    when held.currency <> $5 then $8::jsonb -> 'currency'
    when ${closed} then $8::jsonb -> 'closed'
    when ${amount} then $8::jsonb -> 'amount'
    when held.captures + 1 >= ($9::jsonb -> held.scenario ->> 'from')::integer
      then $9::jsonb -> held.scenario -> 'outcome'
    else $7::jsonb
  end as outcome
  from (select) as once left join held on true
), ${asked(type, 'scenario')}, changed as (
  update simulator.held_authorization as a set ${change}
  from asked where a.id = $3 and ${IS_FIRST_AND_APPROVED}
)
${answered(type)}`

/** $10 whether the rest is released. */
export const CAPTURE = followUp({
  type: 'capture',
  closed: 'held.remaining_minor = 0',
  amount: '$4::bigint <= 0 or $4::bigint > held.remaining_minor',
  change: `
    captured_minor = a.captured_minor + $4::bigint,
    captures = a.captures + 1,
    voided_minor = case when $10::boolean then a.authorized_minor - a.captured_minor - $4::bigint else a.voided_minor end`,
})

/**
 * $10 the total aimed at, which a gateway sets; the amount by which it rises only has to agree with it.
 */
export const INCREMENT = followUp({
  type: 'increment_authorization',
  closed: 'not held.incremental or held.captures > 0 or held.remaining_minor = 0',
  amount: '$4::bigint <= 0 or $10::bigint <> held.authorized_minor + $4::bigint',
  change: 'authorized_minor = $10::bigint',
})

export const VOID = followUp({
  type: 'void',
  closed: 'held.remaining_minor = 0',
  amount: '$4::bigint <= 0 or $4::bigint > held.remaining_minor',
  change: 'voided_minor = a.voided_minor + $4::bigint',
})

/** $1 reference, $2 type. */
export const LOOK_UP = 'select outcome from simulator.request where reference = $1 and type = $2'
