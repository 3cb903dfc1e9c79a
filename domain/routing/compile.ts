import { all, compileCondition, currenciesWithin, type RuleContext, type Test, TRUE } from './compile-condition.ts'
import type { Condition } from './condition.ts'
import type { AppliedRule, Blocked, DynamicThreeDs, Route, RoutingDecision } from './decision.ts'
import type { RoutingFacts } from './facts.ts'
import { compileGatewayOrder, type GatewayOrder } from './gateway-order.ts'
import { hashText, ruleSeed } from './random.ts'
import { RULE_KINDS, type Rule, type RuleSet } from './rule.ts'
import { createRuleFilter } from './rule-filter.ts'
import { findVelocities, type VelocityNeed } from './velocity.ts'

/** Read once: in a sandbox such as that of workflows, every access to a global is a call. */
const { clz32 } = Math

/** One version of a rule set, compiled. It may be cached. */
export interface CompiledRuleSet {
  /** The counts that `RoutingFacts.velocities` must contain. */
  velocities: readonly VelocityNeed[]
  /** Decides where a payment goes. The same facts always give the same decision. */
  decide(facts: RoutingFacts): RoutingDecision
}

export interface CompileOptions {
  /** The project's currency, for amounts without a currency. */
  defaultCurrency: string
}

interface CompiledRule {
  rule: Rule
  applied: AppliedRule
  /** The part of the condition that the filter has not answered; null if there is none. */
  test: Test | null
  order: GatewayOrder | null
  dynamic: DynamicThreeDs | null
}

export function inOrder(rules: readonly Rule[]): Rule[] {
  return RULE_KINDS.flatMap((kind) =>
    rules.filter((rule) => rule.kind === kind).toSorted((one, other) => one.position - other.position),
  )
}

/** Whether a rule applies to card verifications; rules that choose a gateway always do. */
export function looksAtVerifications(rule: Rule): boolean {
  return rule.kind === 'route' || rule.runForCardVerifications
}

/**
 * Compiles a rule set without `eval`, which neither the workflow sandbox nor a web page allows.
 *
 * @throws RangeError for a rule set in which `ruleSetProblems` finds a problem
 */
export function compile(ruleSet: RuleSet, { defaultCurrency }: CompileOptions): CompiledRuleSet {
  const ordered = inOrder(ruleSet.rules).filter(({ enabled }) => enabled)
  const filter = createRuleFilter(
    ordered.map((rule) => ({ ...rule, looksAtVerifications: looksAtVerifications(rule) })),
  )
  const rules = ordered.map((rule, index) => compileRule(rule, filter.residues[index] ?? [], defaultCurrency))
  return {
    velocities: findVelocities(ordered.map(({ condition }) => condition)),
    decide: (facts) => decide(ruleSet, rules, filter.possible(facts), facts),
  }
}

/** @param possible the rules that may match, as bits in 32-bit words */
function decide(
  { id, version }: RuleSet,
  rules: readonly CompiledRule[],
  possible: Int32Array,
  facts: RoutingFacts,
): RoutingDecision {
  const transaction = hashText(facts.transactionId)
  let triggersThreeDs: AppliedRule | null = null
  let route: Route | null = null
  const dynamicThreeDs: DynamicThreeDs[] = []
  for (let word = 0; word < possible.length; word += 1) {
    let bits = possible[word] as number
    while (bits !== 0) {
      const { rule, applied, test, order, dynamic } = rules[word * 32 + 31 - clz32(bits & -bits)] as CompiledRule
      bits &= bits - 1
      // The first matching rule of these kinds decides, so the others are skipped.
      if ((rule.kind === 'route' && route !== null) || (rule.kind === 'trigger_3ds' && triggersThreeDs !== null))
        continue
      if (test !== null && test(facts, transaction) !== TRUE) continue
      if (rule.kind === 'block') return blocked(id, version, applied)
      if (rule.kind === 'trigger_3ds') triggersThreeDs = applied
      else if (rule.kind === 'route') {
        route = { by: applied, gatewayConfigurationIds: order?.(transaction) ?? [], fallback: rule.fallback }
      } else if (dynamic !== null) dynamicThreeDs.push(dynamic)
    }
  }
  return { kind: 'routed', ruleSetId: id, ruleSetVersion: version, triggersThreeDs, route, dynamicThreeDs }
}

function blocked(ruleSetId: string, ruleSetVersion: number, by: AppliedRule): Blocked {
  return { kind: 'blocked', ruleSetId, ruleSetVersion, by }
}

function compileRule(rule: Rule, residue: readonly Condition[], defaultCurrency: string): CompiledRule {
  const context = makeContext(rule, defaultCurrency)
  const tests = residue.map((part) => compileCondition(part, context))
  const applied = appliedRule(rule)
  return {
    rule,
    applied,
    test: tests.length === 0 ? null : all(tests),
    order: rule.kind === 'route' ? compileGatewayOrder(rule) : null,
    dynamic:
      rule.kind === 'dynamic_3ds'
        ? { by: applied, gatewayConfigurationIds: rule.gatewayConfigurationIds, parameters: rule.parameters }
        : null,
  }
}

function makeContext({ id, condition }: Rule, defaultCurrency: string): RuleContext {
  const currencies = condition === null ? [defaultCurrency] : currenciesWithin(condition, [defaultCurrency])
  return { randSeed: ruleSeed(id, 'rand'), currencies }
}

/** A rule as shown on the transactions that it decided: its name, such as `rule-2-route`, and its tags. */
export function appliedRule({ id, kind, position, tags }: Rule): AppliedRule {
  const name = `rule-${position}-${kind}`
  return { ruleId: id, name, tags: [name, ...tags] }
}
