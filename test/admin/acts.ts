import type { AdminStage } from './stage.ts'

/** An entry of the audit log. */
interface Act {
  kind: string
  actor: string
  sandbox: boolean | null
  facts: Record<string, unknown>
}

/** The administrative acts on a project, in their order, without what they have done to rows. */
export async function actsOn({ api }: AdminStage, projectId: string): Promise<Act[]> {
  const rows = await api.database.orm.em.fork().execute<(Omit<Act, 'facts'> & { facts: string })[]>(
    `select kind, actor, sandbox, facts from audit_entry
        where chain = ? and kind not like '%.row-%' order by position`,
    [`project ${projectId}`],
  )
  return rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) }))
}
