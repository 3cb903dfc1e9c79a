import type { ProjectLimitName } from '../../../../domain/rate-limits.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** A limit of a project, with how it was used. */
export interface LimitUse {
  kind: ProjectLimitName
  limit: number
  /** How many requests it would admit at once now; null for one that each client has for itself. */
  remaining: number | null
  /** The steps with requests, counted from the first one; in any order. */
  used: { step: number; requests: number; refused: number; lowestRemaining: number }[]
}

/** A time in steps of so many minutes. */
export interface LimitSteps {
  /** When the first step begins. */
  from: Date
  minutesEach: number
}

/** The limits of each environment, with their columns; those of one bucket for all callers come with what is left. */
const LIMITS: Readonly<Record<'live' | 'sandbox', readonly [kind: ProjectLimitName, isShared: boolean][]>> = {
  live: [
    ['primary', true],
    ['secondary', true],
    ['client_address', false],
    ['client_invoice', false],
  ],
  sandbox: [
    ['sandbox', true],
    ['client_address', false],
    ['client_invoice', false],
  ],
}

/** How the limits of a project in one environment are now, and how they were used since an instant. */
export async function findLimitUse(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  { from, minutesEach }: LimitSteps,
): Promise<LimitUse[]> {
  const kinds = LIMITS[sandbox ? 'sandbox' : 'live']
  const ofKinds = kinds.map(([kind, isShared]) => `('${kind}', ${kind}_limit::integer, ${isShared})`)
  return em.execute<LimitUse[]>(
    `select limits.kind, limits.size as "limit",
            case when limits.is_shared then remaining_requests(limits.kind, project.id, limits.size) end as remaining,
            (select coalesce(json_agg(used), '[]') from (
               select floor(extract(epoch from minute - ?::timestamptz) / ?)::integer as step, sum(requests) as requests,
                      sum(refused) as refused, min(lowest_remaining) as "lowestRemaining"
                 from limit_minute
                where limit_minute.project_id = project.id and limit_minute.sandbox = ?
                  and limit_minute.kind = limits.kind and minute >= ?
                group by step) used) as used
       from project, lateral (values ${ofKinds.join(', ')}) limits (kind, size, is_shared)
      where project.id = ?`,
    [from, 60 * minutesEach, sandbox, from, projectId],
  )
}
