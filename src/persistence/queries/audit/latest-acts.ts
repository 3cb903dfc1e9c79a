import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** An administrative act as the audit log keeps it. */
export interface RecordedAct {
  kind: string
  /** See `Act.actor`. */
  actor: string
  facts: Readonly<Record<string, unknown>>
  at: Date
}

/** The acts of a project's chain that are looked through; a project has some hundred in a year. */
const ACTS_LOOKED_THROUGH = 2_000

/** The latest acts on a gateway configuration, the newest first, among the latest of its project. */
export async function findActsOnGateway(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  { id, limit }: { id: string; limit: number },
): Promise<RecordedAct[]> {
  const rows = await em.execute<{ kind: string; actor: string; facts: string; at: string }[]>(
    `select kind, actor, facts, occurred_at as at from (
       select * from audit_entry where chain = ? order by "position" desc limit ${ACTS_LOOKED_THROUGH}
     ) latest
      where kind like 'gateway-configuration.%' and sandbox = ?
        and facts::jsonb ->> 'gateway_configuration_id' = ?
      order by "position" desc limit ?`,
    [`project ${projectId}`, sandbox, id, limit],
  )
  return rows.map(({ facts, at, ...act }) => ({ ...act, facts: JSON.parse(facts), at: new Date(at) }))
}
