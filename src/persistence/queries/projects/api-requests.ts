import { ApiRequestEntity, type ApiRequestRow } from '../../entities/api-request.ts'
import type { EntityManager, Orm } from '../../orm.ts'
import { execute } from '../../statements.ts'
import type { Scope } from '../scope.ts'

/** A logged request of this project and environment, by its id or by its `X-Request-Id`: the newest with that one. */
export async function findApiRequest(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<ApiRequestRow | null> {
  const byId = await em.findOne(ApiRequestEntity, { projectId, sandbox, id }, { disableIdentityMap: true })
  if (byId !== null) return byId
  const newestFirst = { orderBy: { createdAt: 'desc', id: 'desc' }, disableIdentityMap: true } as const
  return em.findOne(ApiRequestEntity, { projectId, sandbox, requestId: id }, newestFirst)
}

/** Each column with its type and its property. */
const COLUMNS = {
  id: ['text', 'id'],
  project_id: ['text', 'projectId'],
  sandbox: ['boolean', 'sandbox'],
  api_key_id: ['text', 'apiKeyId'],
  person_id: ['text', 'personId'],
  request_id: ['text', 'requestId'],
  method: ['text', 'method'],
  path: ['text', 'path'],
  query: ['jsonb', 'query'],
  status: ['integer', 'status'],
  error_type: ['text', 'errorType'],
  has_idempotency_key: ['boolean', 'hasIdempotencyKey'],
  ip: ['text', 'ip'],
  user_agent: ['text', 'userAgent'],
  api_version: ['text', 'apiVersion'],
  latency_ms: ['integer', 'latencyMs'],
  request_body: ['jsonb', 'requestBody'],
  response_body: ['text', 'responseBody'],
  created_at: ['timestamptz', 'createdAt'],
} as const satisfies Record<string, readonly [type: string, property: keyof ApiRequestRow]>

const NAMES = Object.keys(COLUMNS).join(', ')
const SENT = Object.values(COLUMNS)
const PROPERTIES = SENT.map(([, property]) => `"${property}"`).join(', ')
const TYPES = SENT.map(([type, property]) => `"${property}" ${type}`).join(', ')

/** A request for the log, with what it left of the limit that it counted towards; absent where it counted towards none. */
export interface LoggedRequest extends ApiRequestRow {
  limitKind?: string
  remaining?: number
  isRefused?: boolean
}

/** Minutes are written in one order, so that two processes never wait for each other. */
const INSERT = `
  with sent as materialized (
    select * from json_to_recordset($1::json)
      as sent (${TYPES}, "limitKind" text, remaining integer, "isRefused" boolean)
  ), used as (
    insert into limit_minute (project_id, sandbox, kind, minute, requests, refused, lowest_remaining)
    select "projectId", sandbox, "limitKind", date_trunc('minute', "createdAt") as minute,
           count(*), count(*) filter (where "isRefused"), min(remaining)
      from sent where "limitKind" is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (project_id, sandbox, kind, minute) do update
       set requests = limit_minute.requests + excluded.requests, refused = limit_minute.refused + excluded.refused,
           lowest_remaining = least(limit_minute.lowest_remaining, excluded.lowest_remaining)
  )
  insert into api_request (${NAMES}) select ${PROPERTIES} from sent`

/**
 * Writes rows of the request log, and counts them in the minutes of their limits, in one statement, all or none. They
 * travel as one JSON text: a parameter for every value of every row would block the process for tens of milliseconds.
 */
export async function insertApiRequests(orm: Orm, rows: readonly LoggedRequest[]): Promise<void> {
  await execute(orm, INSERT, [JSON.stringify(rows)])
}
