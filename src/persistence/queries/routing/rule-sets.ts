import type { RuleDefinition } from '../../../../domain/routing/rule.ts'
import { numberRules } from '../../../../domain/routing/rule.ts'
import { ActiveRuleSetEntity, type ActiveRuleSetRow } from '../../entities/active-rule-set.ts'
import { RuleSetEntity, type RuleSetRow } from '../../entities/rule-set.ts'
import type { EntityManager } from '../../orm.ts'
import { findRow, type Reader } from '../../rows.ts'
import type { Scope } from '../scope.ts'

/** The version that decides; null where none does. */
export async function findActiveRuleSetId(reader: Reader, { projectId, sandbox }: Scope): Promise<string | null> {
  const [row] = await reader.execute<{ rule_set_id: string }[]>(
    'select rule_set_id from active_rule_set where project_id = ? and sandbox = ?',
    [projectId, sandbox],
  )
  return row?.rule_set_id ?? null
}

/** A version, active or not; null where this project and environment has none of that id. */
export function findRuleSet(reader: Reader, { projectId, sandbox }: Scope, id: string): Promise<RuleSetRow | null> {
  return findRow(reader, RuleSetEntity, { id, projectId, sandbox })
}

/** A version with when it was activated, if it decides. */
export interface FoundRuleSet {
  ruleSet: RuleSetRow
  activatedAt: Date | null
}

/** The version that decides; null where none does. */
export async function findActiveRuleSet(em: EntityManager, scope: Scope): Promise<FoundRuleSet | null> {
  const active = await findActivation(em, scope)
  // Versions are never deleted, so this one is still there when another one decides already.
  const ruleSet = active === null ? null : await findRuleSet(em, scope, active.ruleSetId)
  return ruleSet === null || active === null ? null : { ruleSet, activatedAt: active.activatedAt }
}

/** Which version decides, and since when. */
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
  /** The API key, or an administrator's name. */
  createdBy: string
}

/**
 * Writes the next version of the rules of a project and environment, in the caller's database transaction, which others who
 * want to write one wait for. It decides nothing before it is activated.
 */
export async function createRuleSet(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  { rules, ...given }: NewRuleSet,
  makeRuleId: () => string,
): Promise<RuleSetRow> {
  await holdRuleSets(em, projectId)
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
 * Has a version decide from the next payment on, or none, in the caller's database transaction. Payments read one row, and
 * so see the one version or the other, and never a part of both.
 *
 * @param id of a version of this project and environment, which its foreign key makes sure of; null for none
 * @returns the version that decided before; null where none did.
 */
export async function activateRuleSet(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string | null,
  now: Date,
): Promise<string | null> {
  await holdRuleSets(em, projectId)
  const before = await findActiveRuleSetId(em, { projectId, sandbox })
  if (before === id) return before
  if (id === null) await em.nativeDelete(ActiveRuleSetEntity, { projectId, sandbox })
  else await em.upsert(ActiveRuleSetEntity, { projectId, sandbox, ruleSetId: id, activatedAt: now })
  return before
}

/** The lock is on the project, and keeps nobody from writing what refers to it, such as payments. */
async function holdRuleSets(em: EntityManager, projectId: string): Promise<void> {
  await em.execute('select from project where id = ? for no key update', [projectId])
}
