import { createHash } from 'node:crypto'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { recordCallersAct } from '../../http/acts.ts'
import { type ApiContext, type ApiMiddleware, callerOf, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { readExpansion } from '../../http/expansion/paths.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { presentRuleSet } from '../../objects/rule-set.ts'
import type { RuleSetRow } from '../../persistence/entities/rule-set.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import {
  activateRuleSet,
  createRuleSet,
  findActivation,
  findActiveRuleSet,
  findRuleSet,
} from '../../persistence/queries/routing/rule-sets.ts'
import { printCondition } from '../../routing/print-rules.ts'
import type { Change } from '../change.ts'
import { refuseFields } from '../webhook-endpoints/webhook-command-input.ts'
import { findProblemContext, readRules } from './read-rules.ts'
import { readNewRuleSet } from './rule-input.ts'

/** The active version, or null: then all gateways of the project may take a payment. */
export function retrieveRoutingRules({ orm }: Pick<AppDeps, 'orm'>): ApiMiddleware {
  return async (ctx) => {
    readExpansion(ctx, 'rule_set')
    const found = await findActiveRuleSet(orm.em.fork(), scopeOf(ctx))
    ctx.body = { success: true, rule_set: found === null ? null : present(found.ruleSet, found.activatedAt) }
  }
}

/** Any version, active or not. */
export function retrieveRuleSet({ orm }: Pick<AppDeps, 'orm'>): ApiMiddleware {
  return async (ctx) => {
    const em = orm.em.fork()
    readExpansion(ctx, 'rule_set')
    const ruleSet = await findRuleSetIn(ctx, em)
    const active = await findActivation(em, scopeOf(ctx))
    ctx.body = {
      success: true,
      rule_set: present(ruleSet, active?.ruleSetId === ruleSet.id ? active.activatedAt : null),
    }
  }
}

/** Creates the next version, active from the next payment on unless `activate` is false. */
export async function createRoutingRules({ deps, ctx, em }: Change) {
  const { rules: given, activate } = readNewRuleSet(bodyOf(ctx))
  const scope = scopeOf(ctx)
  const context = await findProblemContext(em, scope)
  const { text, rules } = readRules(given, context)
  const now = deps.clock.now()
  const { defaultCurrency } = context
  const id = makeIdentifier('ruleSet', deps.randomBytes)
  const { apiKeyId, personId = 'client' } = callerOf(ctx)
  const createdBy = apiKeyId ?? personId
  const ruleSet = await createRuleSet(em, scope, { id, text, rules, defaultCurrency, createdAt: now, createdBy }, () =>
    makeIdentifier('rule', deps.randomBytes),
  )
  const replaced = activate ? await activateRuleSet(em, scope, id, now) : null
  await recordCallersAct(ctx, em, 'rule-set.created', {
    ...ruleSetFacts(ruleSet),
    rules: rules.length,
    text_digest: createHash('sha256').update(text).digest('hex'),
    active: activate,
    ...(activate ? { replaced_rule_set_id: replaced } : {}),
  })
  return { rule_set: present(ruleSet, activate ? now : null) }
}

/** Activates an earlier version, or a later one written in advance. */
export async function activateRules({ deps, ctx, em }: Change) {
  refuseFields(bodyOf(ctx))
  const ruleSet = await findRuleSetIn(ctx, em)
  const replaced = await activateRuleSet(em, scopeOf(ctx), ruleSet.id, deps.clock.now())
  if (replaced !== ruleSet.id)
    await recordCallersAct(ctx, em, 'rule-set.activated', {
      ...ruleSetFacts(ruleSet),
      replaced_rule_set_id: replaced,
    })
  const active = await findActivation(em, scopeOf(ctx))
  return { rule_set: present(ruleSet, active?.activatedAt ?? null) }
}

/** Deactivates all versions; each can be activated again. */
export async function deactivateRules({ deps, ctx, em }: Change) {
  refuseFields(bodyOf(ctx))
  const replaced = await activateRuleSet(em, scopeOf(ctx), null, deps.clock.now())
  const ruleSet = replaced === null ? null : await findRuleSet(em, scopeOf(ctx), replaced)
  if (ruleSet !== null) await recordCallersAct(ctx, em, 'rule-set.deactivated', ruleSetFacts(ruleSet))
  return { rule_set: null }
}

function findRuleSetIn(ctx: ApiContext, em: EntityManager): Promise<RuleSetRow> {
  return foundIn(ctx, 'ruleSet', (scope, id) => findRuleSet(em, scope, id))
}

function present(ruleSet: RuleSetRow, activatedAt: Date | null) {
  return presentRuleSet(ruleSet, activatedAt, printCondition)
}

function ruleSetFacts({ id, version }: Pick<RuleSetRow, 'id' | 'version'>) {
  return { rule_set_id: id, version }
}
