import type { SqlCondition } from '../lists/list-conditions.ts'

/**
 * Selects the deliveries that were given up, and those that wait though a try has failed, a sweep has had to start them, or
 * somebody has sent them again. One on its way for the first time is none of them. The indexes `delivery_undelivered` and
 * `delivery_undelivered_status` have exactly this condition, and PostgreSQL takes them for no other.
 */
export const UNDELIVERED: SqlCondition = {
  sql: `(status = 'failed' or (status = 'pending' and (release_at is not null or run > 0)))`,
  values: [],
}
