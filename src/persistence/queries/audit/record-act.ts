import type { EntityManager } from '../../orm.ts'

/** Something that a person did to the configuration, or had done. */
export interface Act {
  /** Null for an act that concerns the whole service. */
  projectId: string | null
  /** Null where the act concerns both environments. */
  sandbox: boolean | null
  /** Its subject and what became of it, such as `api-key.revoked`. */
  kind: string
  /** Who did it: `api_key:<id>` through the interface, `operator` by the command line. */
  actor: string
  /** Ids and settings, never a secret and nothing of a customer: the log is kept for good. */
  facts: Readonly<Record<string, unknown>>
}

/**
 * Writes an administrative act into the audit log, in the caller's database transaction, so that neither the act nor its
 * entry happens without the other. Acts on one project wait for each other until their commits: record it last.
 */
export async function recordAct(em: EntityManager, { projectId, sandbox, kind, actor, facts }: Act): Promise<void> {
  if (!em.isInTransaction()) throw new Error('An act is recorded in the database transaction that carries it out.')
  await em.execute('select record_audit_act(?, ?, ?, ?, ?::jsonb)', [
    projectId,
    sandbox,
    kind,
    actor,
    JSON.stringify(facts),
  ])
}
