import type { EntityManager } from '../persistence/orm.ts'
import { type Act, recordAct } from '../persistence/queries/audit/record-act.ts'
import { type ApiContext, callerOf, scopeOf } from './context.ts'

/** The caller as the author of an act or a version. */
export function authorTextOf(ctx: ApiContext): string {
  const { apiKeyId, personId } = callerOf(ctx)
  if (personId !== undefined) return `person:${personId}`
  return apiKeyId === null ? 'client' : `api_key:${apiKeyId}`
}

/**
 * Writes an act of the caller on its project's settings into the audit log.
 *
 * @param kind the subject and the change, such as `webhook-endpoint.created`.
 */
export function recordCallersAct(ctx: ApiContext, em: EntityManager, kind: string, facts: Act['facts']): Promise<void> {
  return recordAct(em, { ...scopeOf(ctx), kind, actor: authorTextOf(ctx), facts })
}
