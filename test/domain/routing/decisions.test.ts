import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { compile } from '../../../domain/routing/compile.ts'
import { dynamicThreeDsAt, type RoutingDecision, routingTags } from '../../../domain/routing/decision.ts'
import { explain } from '../../../domain/routing/explain.ts'
import type { RoutingFacts } from '../../../domain/routing/facts.ts'
import type { RuleDefinition } from '../../../domain/routing/rule.ts'
import { anyRule } from '../../routing/rules.ts'
import { block, compare, dynamic, factsOf, field, route, ruleSetOf, trigger } from './builders.ts'

const EUR = { defaultCurrency: 'EUR' }
const FRENCH = compare(field('card_country'), '==', 'FR')
const BRITISH = compare(field('card_country'), '==', 'GB')

function decide(definitions: readonly RuleDefinition[], facts: RoutingFacts = factsOf()): RoutingDecision {
  return compile(ruleSetOf(...definitions), EUR).decide(facts)
}

function routed(decision: RoutingDecision) {
  if (decision.kind !== 'routed') throw new Error('The payment is blocked.')
  return decision
}

describe('A rule set', () => {
  test('has the customer authenticate by any of its triggers, and routes as well', () => {
    const decision = routed(decide([trigger(BRITISH), trigger(FRENCH), route(null, ['gway_conf_a'])]))
    expect(decision.triggersThreeDs?.ruleId).toBe('rr_2')
    expect(decision.route?.gatewayConfigurationIds).toStrictEqual(['gway_conf_a'])
  })

  test('is asked in the order of its positions, however its rules are listed', () => {
    const rules = ruleSetOf(route(null, ['gway_conf_a']), route(null, ['gway_conf_b']), block(BRITISH), block(FRENCH))
    const asked = { ...rules, rules: rules.rules.toReversed() }
    expect(compile(asked, EUR).decide(factsOf())).toEqual(compile(rules, EUR).decide(factsOf()))
    const elsewhere = factsOf({ cardCountry: 'DE' })
    expect(routed(compile(asked, EUR).decide(elsewhere)).route?.by.ruleId).toBe('rr_1')
  })

  test('passes over a rule that is switched off, whose number no other rule gets', () => {
    const decision = decide([block(null, { enabled: false }), route(null, ['gway_conf_a'])])
    expect(routed(decision).route?.by.name).toBe('rule-2-route')
  })

  test('spares the verification of a card, unless a rule wants it, and finds a gateway for it', () => {
    const verification = factsOf({ isCardVerification: true, amountMinor: 0 })
    const decision = routed(decide([block(null), trigger(null), route(null, ['gway_conf_a'])], verification))
    expect(decision.triggersThreeDs).toBeNull()
    expect(decision.route?.gatewayConfigurationIds).toStrictEqual(['gway_conf_a'])
    expect(decide([block(null, { runForCardVerifications: true })], verification).kind).toBe('blocked')
  })
})

describe('Parameters of 3-D Secure', () => {
  const rules = [
    trigger(null, ['sca']),
    route(null, ['gway_conf_a', 'gway_conf_b', 'gway_conf_c'], { tags: ['GB1'] }),
    dynamic(FRENCH, ['gway_conf_b'], 'challenge-requested', ['country == FR']),
    dynamic(null, ['gway_conf_a', 'gway_conf_b'], 'no-preference', ['rest']),
  ]
  const decision = routed(decide(rules))

  test('are those of the first rule for the gateway that is tried', () => {
    expect(dynamicThreeDsAt(decision, 'gway_conf_a')?.by.ruleId).toBe('rr_4')
    expect(dynamicThreeDsAt(decision, 'gway_conf_b')?.parameters.challengeIndicator).toBe('challenge-requested')
    expect(dynamicThreeDsAt(decision, 'gway_conf_c')).toBeNull()
  })

  test('of a rule without gateways are for all', () => {
    expect(dynamicThreeDsAt(routed(decide([dynamic(null, [], 'no-preference')])), 'gway_conf_x')).not.toBeNull()
  })

  test('show among the tags where they apply, each rule by its name before its tags', () => {
    expect(routingTags(decision, 'gway_conf_c')).toStrictEqual(['rule-1-trigger_3ds', 'sca', 'rule-2-route', 'GB1'])
    expect(routingTags(decision, null)).toStrictEqual(['rule-1-trigger_3ds', 'sca', 'rule-2-route', 'GB1'])
  })

  test('and the route give the tags of the published example', () => {
    const [, routeRule, dynamicRule] = rules as [RuleDefinition, RuleDefinition, RuleDefinition]
    const example = routed(decide([block(BRITISH), routeRule, dynamicRule]))
    expect(routingTags(example, 'gway_conf_b')).toStrictEqual([
      'rule-2-route',
      'GB1',
      'rule-3-dynamic_3ds',
      'country == FR',
    ])
  })
})

const maybe = (...values: string[]) => fc.constantFrom(null, ...values)
const anyFacts: fc.Arbitrary<RoutingFacts> = fc
  .record({
    transactionId: fc.string(),
    amountMinor: fc.constantFrom(0, 2900, 3000, 5000),
    currency: fc.constantFrom('EUR', 'GBP', 'USD'),
    cardCountry: maybe('GB', 'FR'),
    ipCountry: maybe('GB', 'FR'),
    cardIin: maybe('424242'),
    cardCoScheme: maybe('gb1', 'carte bancaire'),
    merchantInitiated: fc.boolean(),
    incremental: fc.boolean(),
    metadata: fc.dictionary(fc.constantFrom('plan', 'a-b', 'a.b'), fc.constantFrom('GB1', '5', 'true')),
    isCardVerification: fc.boolean(),
    velocities: fc.constantFrom(
      new Map(),
      new Map([
        ['card_fingerprint/3600', 5],
        ['ip_address/900', 1],
      ]),
    ),
  })
  .map((given) => factsOf(given))

describe('Whatever the rules and the payment are', () => {
  const anyRules = fc.array(anyRule, { maxLength: 20 })

  test('the decision is what asking every rule by itself gives', () => {
    fc.assert(
      fc.property(anyRules, anyFacts, (definitions, facts) => {
        const { decision, rules } = explain(ruleSetOf(...definitions), facts, EUR)
        const asked = rules.filter(
          ({ standing }) => standing !== 'switched-off' && standing !== 'not-for-card-verifications',
        )
        const matching = (kind: string) =>
          asked.filter((rule) => rule.kind === kind && rule.matches).map(({ ruleId }) => ruleId)
        if (decision.kind === 'blocked') {
          expect(decision.by.ruleId).toBe(matching('block')[0])
          return
        }
        expect(matching('block')).toStrictEqual([])
        expect(decision.triggersThreeDs?.ruleId).toBe(matching('trigger_3ds')[0])
        expect(decision.route?.by.ruleId).toBe(matching('route')[0])
        expect(decision.dynamicThreeDs.map(({ by }) => by.ruleId)).toStrictEqual(matching('dynamic_3ds'))
      }),
      { seed: 21, numRuns: 200 },
    )
  })
})
