/**
 * The simulator's statements, one per request. Each of them is a transaction of its own, is done once however often
 * its reference comes, and holds the lock on the authorization from the check to the change. Whoever locks both locks
 * the authorization before the entry of a request, so that no two statements wait for each other.
 *
 * Parameters of all requests: $1 reference, $2 invoice id, $3 gateway authorization id, $4 amount, $5 currency,
 * $6 asked at, $7 gateway configuration id.
 */

/** The entry under the reference: written by the first to ask, counted by the others, who see the first one's outcome. */
const asked = (type: string, isFinal = 'null') => `
asked as (
  insert into simulator.request as r
    (reference, type, invoice_id, gateway_authorization_id, amount_minor, currency, asked_at, gateway_configuration_id,
      is_final, scenario, outcome, later, delivery)
  select $1, '${type}', $2, $3, $4::bigint, $5, $6::timestamptz, $7, ${isFinal}::boolean, scenario, outcome, later, delivery
  from verdict
  on conflict (reference) do update set times_asked = r.times_asked + 1
  returning *
)`

const answered = (type: string, isFinal = 'null') => `
select outcome, delivery,
  type = '${type}' and invoice_id = $2 and amount_minor = $4::bigint and currency = $5 and gateway_configuration_id = $7
    and gateway_authorization_id is not distinct from $3 and is_final is not distinct from ${isFinal}::boolean
    as is_same_request
from asked`

/** True in a statement that wrote the entry, false in one that found it. */
const IS_FIRST = 'asked.times_asked = 1'
const IS_APPROVED = `asked.outcome ->> 'kind' = 'approved'`
const IS_PENDING = `asked.outcome ->> 'kind' = 'pending'`

/**
 * $8 scenario, $9 incremental, $10 outcome, $11 delivery, $12 story of later steps, $13 outcome of the card's first use,
 * $14 expiry of such a card.
 */
export const AUTHORIZE = `
with first_use as (
  insert into simulator.used_card (gateway_configuration_id, scenario, expiry, first_reference)
  select $7, $8, $14, $1 where $14::text is not null
  on conflict do nothing
  returning first_reference
), verdict as (
  select $8::text as scenario, $11::text as delivery, null::jsonb as later,
    case when exists (select from first_use) then $13::jsonb else $10::jsonb end as outcome
), ${asked('authorization')}, approved as (
  select (outcome ->> 'amountMinor')::bigint as minor,
    case when outcome -> 'isSale' = 'true' then 1 else 0 end as captures
  from asked where ${IS_FIRST} and ${IS_APPROVED}
), held as (
  insert into simulator.held_authorization
    (id, gateway_configuration_id, scenario, story, currency, incremental, authorized_minor, captured_minor, captures)
  select $3, $7, $8, $12::jsonb, $5, $9::boolean, minor, captures * minor, captures from approved
)
${answered('authorization')}`

interface FollowUp {
  type: string
  /** SQL of whether the rest is released; only captures say so. */
  isFinal?: string
  /** When the authorization takes no such step any more. */
  closed: string
  /** When the step is a release of what was released before; only voids say so. */
  released?: string
  /** When the amount is not one that the authorization allows. */
  amount: string
  change: string
  /** When a step that is approved is followed by the notices of its story. */
  announces: string
}

/** $8 approval, $9 refusals by reason. */
const followUp = ({ type, isFinal = 'null', closed, released = 'false', amount, change, announces }: FollowUp) => `
with held as materialized (
  select *, authorized_minor - captured_minor - capturing_minor - voided_minor as remaining_minor,
    captured_minor - refunded_minor - refunding_minor as refundable_minor, story -> '${type}' as script
  from simulator.held_authorization where id = $3 and gateway_configuration_id = $7 for update
), judged as (
  select held.scenario, held.script, held.captures, case
    when held.id is null then $9::jsonb -> 'unknown'
    when held.currency <> $5 then $9::jsonb -> 'currency'
    when ${released} then $9::jsonb -> 'released'
    when ${closed} then $9::jsonb -> 'closed'
    when ${amount} then $9::jsonb -> 'amount'
  end as refusal, case
    when held.captures + 1 >= coalesce((held.script ->> 'from')::integer, 1)
      and (held.script -> 'times' is null or held.failed_captures < (held.script ->> 'times')::integer)
      then coalesce(held.script -> 'decline', $8::jsonb)
    else $8::jsonb
  end as scripted
  from (select) as once left join held on true
), verdict as (
  select scenario, script ->> 'delivery' as delivery, refusal is null as is_allowed,
    coalesce(refusal, case when script -> 'isPendingFirst' = 'true'
      then jsonb_build_object('kind', 'pending', 'gatewayOperationId', $8::jsonb -> 'gatewayOperationId')
      else scripted
    end) as outcome,
    case when refusal is null and script -> 'isPendingFirst' = 'true' then scripted end as later,
    coalesce(case when ${announces} then script -> 'notices' end, '[]') || coalesce(script -> 'endings', '[]') as notices
  from judged
), ${asked(type, isFinal)}, changed as (
  update simulator.held_authorization as a set ${change}
  from asked, verdict, lateral (select
    case when ${IS_APPROVED} then 1 else 0 end as approved,
    case when ${IS_PENDING} then 1 else 0 end as pending
  ) as outcome
  where a.id = $3 and ${IS_FIRST} and verdict.is_allowed
), announced as (
  insert into simulator.notice
    (id, gateway_configuration_id, gateway_authorization_id, invoice_id, what, reference, amount_minor, currency, reason,
      due_at, copies)
  select ($8::jsonb ->> 'gatewayOperationId') || '_' || n.what, $7, $3, $2, n.what,
    case when n.what in ('refund-failed', 'settled') then $1 end, $4::bigint, $5, n.reason,
    $6::timestamptz + n."afterMs" * interval '1 millisecond', coalesce(n.copies, 1)
  from asked, verdict,
    jsonb_to_recordset(verdict.notices) as n(what text, reason text, "afterMs" integer, copies integer)
  where ${IS_FIRST} and case n.what when 'settled' then ${IS_PENDING} else ${IS_APPROVED} end
)
${answered(type, isFinal)}`

/** $10 whether the rest is released. What pending captures take stays theirs. */
export const CAPTURE = followUp({
  type: 'capture',
  isFinal: '$10',
  closed: 'held.remaining_minor = 0',
  amount: '$4::bigint <= 0 or $4::bigint > held.remaining_minor',
  change: `
    captured_minor = a.captured_minor + outcome.approved * $4::bigint,
    capturing_minor = a.capturing_minor + outcome.pending * $4::bigint,
    captures = a.captures + outcome.approved,
    failed_captures = a.failed_captures + 1 - outcome.approved - outcome.pending,
    voided_minor = case when outcome.approved = 1 and $10::boolean
      then a.authorized_minor - a.captured_minor - $4::bigint - a.capturing_minor
      else a.voided_minor
    end`,
  announces: 'captures = 0',
})

/** $10 the total aimed at, which a gateway sets; the amount by which it rises only has to agree with it. */
export const INCREMENT = followUp({
  type: 'increment_authorization',
  closed: 'not held.incremental or held.captures > 0 or held.capturing_minor > 0 or held.remaining_minor = 0',
  amount: '$4::bigint <= 0 or $10::bigint <> held.authorized_minor + $4::bigint',
  change: 'authorized_minor = a.authorized_minor + outcome.approved * $4::bigint',
  announces: 'false',
})

export const VOID = followUp({
  type: 'void',
  released: 'held.remaining_minor = 0 and held.voided_minor >= $4::bigint',
  closed: 'held.remaining_minor = 0',
  amount: '$4::bigint <= 0 or $4::bigint > held.remaining_minor',
  change: 'voided_minor = a.voided_minor + outcome.approved * $4::bigint',
  announces: 'false',
})

export const REFUND = followUp({
  type: 'refund',
  closed: 'held.refundable_minor = 0',
  amount: '$4::bigint <= 0 or $4::bigint > held.refundable_minor',
  change: `
    refunded_minor = a.refunded_minor + outcome.approved * $4::bigint,
    refunding_minor = a.refunding_minor + outcome.pending * $4::bigint`,
  announces: 'true',
})

/** Moves the money that a pending outcome has reserved, for the rows of a CTE that have become final just now. */
const settled = (from: string, isSettling: string) => `
settling as (
  select gateway_authorization_id, is_final,
    case type when 'capture' then amount_minor else 0 end as capture_minor,
    case type when 'refund' then amount_minor else 0 end as refund_minor,
    case when outcome ->> 'kind' = 'approved' then 1 else 0 end as approved
  from ${from} where ${isSettling}
), settled as (
  update simulator.held_authorization as a set
    capturing_minor = a.capturing_minor - s.capture_minor,
    captured_minor = a.captured_minor + s.approved * s.capture_minor,
    captures = a.captures + case when s.capture_minor > 0 then s.approved else 0 end,
    voided_minor = case when s.is_final and s.approved = 1
      then a.authorized_minor - a.captured_minor - a.capturing_minor
      else a.voided_minor
    end,
    refunding_minor = a.refunding_minor - s.refund_minor,
    refunded_minor = a.refunded_minor + s.approved * s.refund_minor
  from settling as s where a.id = s.gateway_authorization_id
)`

/**
 * $1 reference, $2 type, $3 the look-up that finds a pending outcome final. That one look-up moves the money which the
 * pending outcome has reserved; the lock on the authorization comes first, and only where there is such an outcome.
 */
export const LOOK_UP = `
with held as materialized (
  select a.id from simulator.held_authorization as a
  join simulator.request as r on r.gateway_authorization_id = a.id
  where r.reference = $1 and r.type = $2 and r.later is not null
  for update of a
), found as (
  update simulator.request as r set
    looked_up = r.looked_up + 1,
    outcome = case when r.looked_up + 1 = $3::integer then coalesce(r.later, r.outcome) else r.outcome end
  from (select count(*) from held) as locked
  where r.reference = $1 and r.type = $2
  returning r.*
), ${settled('found', 'later is not null and looked_up = $3::integer')}
select outcome, delivery, looked_up from found`

/**
 * $1 reference of a step whose outcome is pending: it becomes final without a look-up, because it is about to be told. One
 * that a look-up has found final stays as it is.
 */
export const SETTLE = `
with held as materialized (
  select a.id from simulator.held_authorization as a
  join simulator.request as r on r.gateway_authorization_id = a.id
  where r.reference = $1
  for update of a
), ended as (
  update simulator.request as r set outcome = r.later, later = null
  from (select count(*) from held) as locked
  where r.reference = $1 and r.later is not null and r.outcome ->> 'kind' = 'pending'
  returning r.*
), ${settled('ended', 'true')}
select r.type, coalesce(ended.outcome, r.outcome) as outcome
from simulator.request as r left join ended using (reference) where r.reference = $1`
