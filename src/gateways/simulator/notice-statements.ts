/** The courier's statements; each of them is a transaction of its own. */

/** Takes due notices, the oldest first, those that could not be delivered before last. $1 now, $2 taken until, $3 how many. */
export const TAKE = `
with due as materialized (
  select id from simulator.notice
  where delivered_at is null and due_at <= $1::timestamptz and (taken_until is null or taken_until <= $1::timestamptz)
  order by attempts, due_at, id
  limit $3::integer
  for update skip locked
), taken as (
  update simulator.notice as n set taken_until = $2::timestamptz, attempts = n.attempts + 1
  from due where n.id = due.id
  returning n.*
)
select * from taken order by due_at, id`

/** Done before it is told, so that whoever hears of it can refund again at once. $1 reference of the refund, $2 its outcome. */
export const FAIL_REFUND = `
with held as materialized (
  select a.id from simulator.held_authorization as a
  join simulator.request as r on r.gateway_authorization_id = a.id
  where r.reference = $1 and r.type = 'refund'
  for update of a
), failed as (
  update simulator.request as r set outcome = $2::jsonb
  from held where r.reference = $1 and r.type = 'refund' and r.outcome ->> 'kind' = 'approved'
  returning r.gateway_authorization_id, r.amount_minor
)
update simulator.held_authorization as a set refunded_minor = a.refunded_minor - failed.amount_minor
from failed where a.id = failed.gateway_authorization_id`

/** $1 id, $2 now. */
export const DELIVERED =
  'update simulator.notice set delivered_at = $2::timestamptz where id = $1 and delivered_at is null returning id'

/** $1 id. */
export const GIVE_BACK = 'update simulator.notice set taken_until = null where id = $1 and delivered_at is null'
