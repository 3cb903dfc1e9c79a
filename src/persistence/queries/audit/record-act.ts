/** An administrative act: a change of configuration by a person, or at a person's request. */
export interface Act {
  /** Null for an act that concerns the whole service. */
  projectId: string | null
  /** Null where the act concerns both environments. */
  sandbox: boolean | null
  /** The subject and the change, such as `api-key.revoked`. */
  kind: string
  /** The author: `api_key:<id>` through the API, `person:<id>` by the dashboard, `operator` by the command line. */
  actor: string
  /** Ids and settings, but no secrets and no customer data: the log is kept for good. */
  facts: Readonly<Record<string, unknown>>
}

/** An entity manager in a transaction, or the unit of work of a payment, which always is. */
interface Writer {
  execute(sql: string, values: unknown[]): Promise<unknown>
  isInTransaction?(): boolean
}

/**
 * Writes an administrative act into the audit log in the caller's database transaction, so that act and entry commit
 * together. Acts on one project wait for each other until the commit: record the act last.
 */
export async function recordAct(em: Writer, { projectId, sandbox, kind, actor, facts }: Act): Promise<void> {
  if (em.isInTransaction?.() === false)
    throw new Error('An act is recorded in the database transaction that carries it out.')
  await em.execute('select record_audit_act(?, ?, ?, ?, ?::jsonb)', [
    projectId,
    sandbox,
    kind,
    actor,
    JSON.stringify(facts),
  ])
}

/** Writes an act on the account of a person, who belongs to no project; by default the person's own. */
export function recordPersonAct(
  em: Writer,
  personId: string,
  what: string,
  { facts = {}, actor = `person:${personId}` }: Partial<Pick<Act, 'facts' | 'actor'>> = {},
): Promise<void> {
  const kind = `person.${what}`
  return recordAct(em, { projectId: null, sandbox: null, kind, actor, facts: { person_id: personId, ...facts } })
}
