import type { RuleSetRow } from '../../persistence/entities/rule-set.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { recordAct } from '../../persistence/queries/audit/record-act.ts'
import { type ApiContext, scopeOf } from '../context.ts'
import { actorOf } from '../webhooks/endpoint-act.ts'

/** What can be done with the rules of a project, as the audit log names it. */
type RuleSetAct = 'created' | 'activated' | 'deactivated'

/** Writes into the audit log what the caller's key has done with a version of the rules. */
export function recordRuleSetAct(
  ctx: ApiContext,
  em: EntityManager,
  act: RuleSetAct,
  { id, version }: Pick<RuleSetRow, 'id' | 'version'>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const facts = { rule_set_id: id, version, ...more }
  return recordAct(em, { ...scopeOf(ctx), kind: `rule-set.${act}`, actor: actorOf(ctx), facts })
}
