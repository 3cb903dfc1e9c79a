import type { EntityManager } from '../../orm.ts'

/**
 * Ends invitations for good, each with an act, in the caller's database transaction. Before anything else that writes to the
 * audit log: who accepts one takes both in this order.
 *
 * @param which a condition on the rows of `invitation`, with its values.
 * @returns how many there were.
 */
async function end(
  em: EntityManager,
  actor: string,
  which: { condition: string; values: readonly unknown[]; facts?: Readonly<Record<string, unknown>> },
): Promise<number> {
  const { condition, values, facts = {} } = which
  const ended = await em.execute<object[]>(
    `with ended as (delete from invitation where ${condition} returning id, project_id)
     select record_audit_act(project_id, null, 'project.invitation-withdrawn', ?,
                             jsonb_build_object('invitation_id', id) || ?::jsonb)
       from (select * from ended order by project_id, id) in_order`,
    [...values, actor, JSON.stringify(facts)],
  )
  return ended.length
}

/** Ends one invitation; false where the project has none with this id. */
export async function endInvitation(
  em: EntityManager,
  { projectId, id, actor }: { projectId: string; id: string; actor: string },
): Promise<boolean> {
  return (await end(em, actor, { condition: 'project_id = ? and id = ?', values: [projectId, id] })) > 0
}

/** Ends the invitation of an address, in whose place another one comes. */
export async function endInvitationOf(
  em: EntityManager,
  { projectId, email, actor, replacedBy }: { projectId: string; email: string; actor: string; replacedBy: string },
): Promise<void> {
  const facts = { replaced_by: replacedBy }
  await end(em, actor, { condition: 'project_id = ? and email = ?', values: [projectId, email], facts })
}

/**
 * Ends the invitations of one who is no owner from now on: they would stand again as soon as that one is an owner again.
 *
 * @param projectId absent for all projects of the person.
 */
export async function endInvitationsBy(
  em: EntityManager,
  { personId, projectId, actor }: { personId: string; projectId?: string; actor: string },
): Promise<void> {
  const condition = 'invited_by = ? and project_id = coalesce(?, project_id)'
  await end(em, actor, { condition, values: [personId, projectId ?? null] })
}
