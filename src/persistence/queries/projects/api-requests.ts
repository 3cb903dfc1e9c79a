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

/** A request for the log, with what it left of the limit that it counted towards; absent where it counted towards none. */
export interface LoggedRequest extends ApiRequestRow {
  limitKind?: string
  remaining?: number
  isRefused?: boolean
}

/**
 * Minutes are written in one order, so that two processes never wait for each other. The columns of a request are named: one
 * that a later version adds has its default.
 */
const insertOf = (columns: string) => `
  with used as (
    insert into limit_minute (project_id, sandbox, kind, minute, requests, refused, lowest_remaining)
    select project_id, sandbox, "limitKind", date_trunc('minute', created_at) as minute,
           count(*), count(*) filter (where "isRefused"), min(remaining)
      from json_to_recordset($1::json) as counted (project_id text, sandbox boolean, created_at timestamptz,
             "limitKind" text, remaining integer, "isRefused" boolean)
     where "limitKind" is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (project_id, sandbox, kind, minute) do update
       set requests = limit_minute.requests + excluded.requests, refused = limit_minute.refused + excluded.refused,
           lowest_remaining = least(limit_minute.lowest_remaining, excluded.lowest_remaining)
  )
  insert into api_request (${columns}) select ${columns} from json_populate_recordset(null::api_request, $1::json)`

/**
 * Writes rows of the request log, and counts them in the minutes of their limits, in one statement, all or none. They
 * travel as one JSON text: a parameter for every value of every row would block the process for tens of milliseconds.
 */
export async function insertApiRequests(orm: Orm, rows: readonly LoggedRequest[]): Promise<void> {
  const { props } = orm.em.getMetadata(ApiRequestEntity)
  const byColumn = rows.map(({ limitKind, remaining, isRefused, ...row }) => ({
    ...Object.fromEntries(props.map(({ name, fieldNames }) => [fieldNames[0], row[name]])),
    ...{ limitKind, remaining, isRefused },
  }))
  await execute(orm, insertOf(props.map(({ fieldNames }) => fieldNames[0]).join()), [JSON.stringify(byColumn)])
}
