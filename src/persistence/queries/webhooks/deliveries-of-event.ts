import type { DeliveryStatus } from '../../entities/delivery.ts'
import type { Orm } from '../../orm.ts'
import { execute } from '../../statements.ts'
import type { Scope } from '../scope.ts'
import {
  ATTEMPT_TABLES,
  type AttemptRow,
  attemptColumns,
  type DeliveryForAttempt,
  toDeliveryForAttempt,
} from './delivery-attempts.ts'

export interface EventDelivery {
  deliveryId: string
  /** The data that its first attempt needs. */
  delivery: DeliveryForAttempt
  /** The recorded attempts of this run, and when the next one is due; null before the first and after the last. */
  attemptsMade: number
  releaseAt: Date | null
  /** The status of the last delivery begun to the same target; null where none was begun yet. */
  previousStatus: DeliveryStatus | null
}

interface Row extends AttemptRow {
  deliveryId: string
  attemptsMade: number
  previousStatus: DeliveryStatus | null
}

// A target is an endpoint at its current host. Where the invoice or the token has a URL of its own, the target is that
// host: merchants may put an order id into the URL, so that every URL is new. split_part(url, '/', 3) is the host with its
// port; an index of exactly these expressions serves the sub-query.
const FIND_OF_EVENT = `select delivery.id as "deliveryId", ${attemptColumns('$5::timestamptz')},
                (select count(*)::int from delivery_attempt attempt
                  where attempt.delivery_id = delivery.id and attempt.run = delivery.run) as "attemptsMade",
                (select previous.status
                   from delivery previous
                  where previous.project_id = $1 and previous.sandbox = $2
                    and split_part(previous.target_url, '/', 3)
                      = split_part(coalesce(endpoint.url, delivery.target_url), '/', 3)
                    and coalesce(previous.endpoint_id, '') = coalesce(delivery.endpoint_id, '')
                    and previous.first_attempt_at is not null
                  order by previous.first_attempt_at desc
                  limit 1) as "previousStatus"
           from ${ATTEMPT_TABLES}
          where delivery.project_id = $1 and delivery.sandbox = $2 and delivery.event_id = $3 and delivery.run = $4
          order by delivery.created_at, delivery.id`

/** The deliveries of one run of an event, each with its progress and the state of its target. */
export async function findDeliveriesOfEvent(
  orm: Orm,
  { projectId, sandbox, eventId, run, now }: Scope & { eventId: string; run: number; now: Date },
): Promise<EventDelivery[]> {
  const rows = await execute<Row>(orm, FIND_OF_EVENT, [projectId, sandbox, eventId, run, now])
  return rows.map((row) => ({
    deliveryId: row.deliveryId,
    delivery: toDeliveryForAttempt(row),
    attemptsMade: row.attemptsMade,
    releaseAt: row.releaseAt === null ? null : new Date(row.releaseAt),
    previousStatus: row.previousStatus,
  }))
}
