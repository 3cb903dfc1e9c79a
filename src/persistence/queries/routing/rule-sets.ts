import type { RuleDefinition } from '../../../../domain/routing/rule.ts'
import { numberRules } from '../../../../domain/routing/rule.ts'
import { ActiveRuleSetEntity, type ActiveRuleSetRow } from '../../entities/active-rule-set.ts'
import { RuleSetEntity, type RuleSetRow } from '../../entities/rule-set.ts'
import type { EntityManager } from '../../orm.ts'
import { findRow, type Reader } from '../../rows.ts'
import { holdProject } from '../kept-rows.ts'
import type { Scope } from '../scope.ts'

/** The id of the active version; null without one. */
export async function findActiveRuleSetId(reader: Reader, { projectId, sandbox }: Scope): Promise<string | null> {
  const [row] = await reader.execute<{ rule_set_id: string }[]>(
    'select rule_set_id from active_rule_set where project_id = ? and sandbox = ?',
    [projectId, sandbox],
  )
  return row?.rule_set_id ?? null
}

/** A version, active or not; null where this project and environment has none with that id. */
export function findRuleSet(reader: Reader, { projectId, sandbox }: Scope, id: string): Promise<RuleSetRow | null> {
  return findRow(reader, RuleSetEntity, { id, projectId, sandbox })
}

/** A version, and since when it is active, if it is. */
export interface FoundRuleSet {
  ruleSet: RuleSetRow
  activatedAt: Date | null
}

/** The active version; null without one. */
export async function findActiveRuleSet(em: EntityManager, scope: Scope): Promise<FoundRuleSet | null> {
  const active = await findActivation(em, scope)
  // Versions are never deleted: this one still exists even if another was activated meanwhile.
  const ruleSet = active === null ? null : await findRuleSet(em, scope, active.ruleSetId)
  return ruleSet === null || active === null ? null : { ruleSet, activatedAt: active.activatedAt }
}

/** The id of the active version, and since when it is active. */
export function findActivation(em: EntityManager, { projectId, sandbox }: Scope): Promise<ActiveRuleSetRow | null> {
  return em.findOne(ActiveRuleSetEntity, { projectId, sandbox }, { disableIdentityMap: true })
}

export interface NewRuleSet {
  id: string
  /** As the merchant wrote it. */
  text: string
  rules: readonly RuleDefinition[]
  defaultCurrency: string
  createdAt: Date
  /** The API key, or an operator's name. */
  createdBy: string
}

/**
 * Writes the next version of the rules of a project and environment, in the caller's database transaction; concurrent
 * writers wait for each other. The version has no effect before it is activated.
 */
export async function createRuleSet(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  { rules, ...given }: NewRuleSet,
  makeRuleId: () => string,
): Promise<RuleSetRow> {
  await holdProject(em, projectId)
  const [newest] = await em.execute<{ version: number | null }[]>(
    'select max(version) as version from rule_set where project_id = ? and sandbox = ?',
    [projectId, sandbox],
  )
  const row: RuleSetRow = {
    ...given,
    projectId,
    sandbox,
    version: (newest?.version ?? 0) + 1,
    rules: numberRules(rules, makeRuleId),
  }
  await em.insert(RuleSetEntity, row)
  return row
}

/**
 * Activates a version from the next payment on, or deactivates all, in the caller's database transaction. A payment reads
 * one row, and so always sees one whole version.
 *
 * @param id of a version of this project and environment, which the foreign key ensures; null for none.
 * @returns the version that was active before; null without one.
 */
export async function activateRuleSet(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string | null,
  now: Date,
): Promise<string | null> {
  await holdProject(em, projectId)
  const before = await findActiveRuleSetId(em, { projectId, sandbox })
  if (before === id) return before
  if (id === null) await em.nativeDelete(ActiveRuleSetEntity, { projectId, sandbox })
  else await em.upsert(ActiveRuleSetEntity, { projectId, sandbox, ruleSetId: id, activatedAt: now })
  return before
}
