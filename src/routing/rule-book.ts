import { type CompiledRuleSet, compile } from '../../domain/routing/compile.ts'
import { asksFor } from '../../domain/routing/condition.ts'
import type { RoutingDecision } from '../../domain/routing/decision.ts'
import { findActiveRuleSetId, findRuleSet } from '../persistence/queries/routing/rule-sets.ts'
import type { Scope } from '../persistence/queries/scope.ts'
import type { Reader } from '../persistence/rows.ts'
import type { RoutedPayment } from './facts.ts'
import { readFacts } from './facts.ts'

/** Active rules in a project and environment. */
export interface ActiveRules {
  /** What they say about a payment; reads what they look at and the invoice and card do not tell. */
  decide(reader: Reader, payment: RoutedPayment): Promise<RoutingDecision>
}

export interface RuleBook {
  /**
   * The active rules; null where there are none. The database is asked for the version every time; the version itself
   * never changes and is compiled once.
   */
  activeRules(reader: Reader, scope: Scope): Promise<ActiveRules | null>
  /** The rules of this version, where the caller has asked the database which one decides. */
  rulesOf(reader: Reader, scope: Scope, ruleSetId: string): Promise<ActiveRules>
}

/** Rule sets that a process keeps: far more than are active at once in most services, and 500 rules take a megabyte or so. */
const KEPT_MAX = 500

export function createRuleBook(): RuleBook {
  /** The one that was asked for longest ago comes first. */
  const kept = new Map<string, ActiveRules>()
  const rulesOf: RuleBook['rulesOf'] = async (reader, scope, id) => {
    const rules = kept.get(id) ?? (await openRules(reader, scope, id))
    kept.delete(id)
    kept.set(id, rules)
    const [oldest] = kept.keys()
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
    return rules
  }
  return {
    rulesOf,
    async activeRules(reader, scope) {
      const id = await findActiveRuleSetId(reader, scope)
      return id === null ? null : rulesOf(reader, scope, id)
    },
  }
}

async function openRules(reader: Reader, scope: Scope, id: string): Promise<ActiveRules> {
  const ruleSet = await findRuleSet(reader, scope, id)
  if (ruleSet === null) throw new Error(`The active rule set ${id} is not there.`)
  const compiled: CompiledRuleSet = compile(ruleSet, ruleSet)
  const needs = {
    velocities: compiled.velocities,
    customer: ruleSet.rules.some(({ condition, enabled }) => enabled && asksFor(condition, 'customer_country')),
  }
  return { decide: async (reader, payment) => compiled.decide(await readFacts(reader, payment, needs)) }
}
