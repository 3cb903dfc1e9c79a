import fc from 'fast-check'
import {
  type Comparison,
  type Condition,
  FIELD_NAMES,
  type Operand,
  VELOCITY_PATHS,
} from '../../domain/routing/condition.ts'
import { FALLBACK_CODES } from '../../domain/routing/fallback.ts'
import { operandType } from '../../domain/routing/fields.ts'
import { CHALLENGE_INDICATORS, type RuleDefinition, SCA_EXEMPTION_REASONS } from '../../domain/routing/rule.ts'

/** Objects as JSON makes them, with the prototype that all objects have. */
function record<Shape>(model: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }): fc.Arbitrary<Shape> {
  return fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<Shape>
}

/** As fast-check's unit `binary`, which for its own makes a table of all, in 1.3 s of CPU. */
export const character = fc.integer({ min: 0, max: 0x10_ff_ff }).map(
  (code) => String.fromCodePoint(code),
  (made) => (made as string).codePointAt(0) ?? 0,
)

/** Any text that a condition, a key or a tag may hold. */
const text = fc
  .string({ unit: character, minLength: 1, maxLength: 12 })
  .filter((value) => value.isWellFormed() && !/\p{Cc}/u.test(value))

const wording = fc.oneof(
  text,
  fc.constantFrom(
    'GB1',
    'country == FR',
    'a,b',
    '/* no comment */',
    ' x ',
    'say "so"',
    '"',
    '{',
    'a;b',
    'a  b',
    '\\\\',
    'true',
    'null',
  ),
)

const decimal = fc.constantFrom('0', '1', '0.5', '-3', '12.250', '999999')
const amount = fc.constantFrom('0', '30', '29.00', '11999999999')

const operand: fc.Arbitrary<Operand> = fc.oneof(
  fc.constantFrom(...FIELD_NAMES).map((name): Operand => ({ kind: 'field', name })),
  fc
    .oneof(text, fc.constantFrom('plan', 'a-b', 'a.b', 'a-', '-', 'x y'))
    .map((key): Operand => ({ kind: 'metadata', key })),
  fc.constant<Operand>({ kind: 'rand' }),
  fc
    .tuple(fc.constantFrom(...VELOCITY_PATHS), fc.constantFrom('30s', '15m', '1h', '30d'))
    .map(([path, interval]): Operand => ({ kind: 'velocity', path, interval })),
)

/** Values that fields with a fixed set of values accept. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  currency: ['EUR', 'gbp', 'USD'],
  customer_country: ['GB', 'fr'],
  ip_country: ['GB', 'FR'],
  card_country: ['GB', 'FR'],
  card_iin: ['424242', '42424242'],
  card_last4: ['4242', '0001'],
}

function wordsFor(of: Operand): fc.Arbitrary<string> {
  const known = of.kind === 'field' ? VALUES[of.name] : undefined
  return known === undefined ? wording : fc.constantFrom(...known)
}

const comparison: fc.Arbitrary<Comparison> = operand.chain((of) => {
  const make = (operators: readonly string[], value: fc.Arbitrary<Comparison['value']>) =>
    fc
      .tuple(fc.constantFrom(...operators), value)
      .map(([operator, one]) => ({ kind: 'comparison', operand: of, operator, value: one }) as Comparison)
  switch (operandType(of)) {
    case 'amount':
      return make(['==', '!=', '<', '<=', '>', '>='], amount)
    case 'number':
      return make(['==', '!=', '<', '<=', '>', '>='], decimal)
    case 'flag':
      return make(['==', '!='], fc.boolean())
    default:
      return fc.oneof(
        make(['==', '!='], fc.oneof(wordsFor(of), fc.constant(null))),
        make(['in', 'not-in'], fc.array(wordsFor(of), { minLength: 1, maxLength: 4 })),
        make(['contains'], wording),
        ...(of.kind === 'metadata' ? [make(['<', '>='], decimal)] : []),
      )
  }
})

/** Any condition that may be stored. Amounts are kept to currencies with cents. */
const anyCondition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    comparison as fc.Arbitrary<Condition>,
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('condition'), { minLength: 2, maxLength: 4 }))
      .map(([kind, conditions]) => ({ kind, conditions })),
    tie('condition').map((condition) => ({ kind: 'not' as const, condition })),
  ),
})).condition

const gatewayId = fc.integer({ min: 1, max: 99 }).map((number) => `gway_conf_${number}`)
const gatewayIds = fc.uniqueArray(gatewayId, { minLength: 1, maxLength: 4 })

const common = {
  enabled: fc.boolean(),
  condition: fc.option(anyCondition, { nil: null }),
  tags: fc.array(wording, { maxLength: 3 }),
}

const ofPayments = { ...common, runForCardVerifications: fc.boolean() }

const fallback = record({
  enabled: fc.boolean(),
  errorCodes: fc.uniqueArray(fc.constantFrom(...FALLBACK_CODES), { maxLength: 3 }),
  maxAttempts: fc.integer({ min: 1, max: 5 }),
})

const parameters = record({
  scaExemptionReason: fc.option(fc.constantFrom(...SCA_EXEMPTION_REASONS), { nil: null }),
  challengeIndicator: fc.option(fc.constantFrom(...CHALLENGE_INDICATORS), { nil: null }),
}).filter(({ scaExemptionReason, challengeIndicator }) => scaExemptionReason !== null || challengeIndicator !== null)

const priority = gatewayIds.map((ids) =>
  ids.map((gatewayConfigurationId) => ({ gatewayConfigurationId, weight: null })),
)
const split = gatewayIds.chain((ids) =>
  fc
    .array(fc.integer({ min: 0, max: 1000 }), { minLength: ids.length, maxLength: ids.length })
    .filter((weights) => weights.some((weight) => weight > 0))
    .map((weights) =>
      ids.map((gatewayConfigurationId, at) => ({ gatewayConfigurationId, weight: weights[at] as number })),
    ),
)

/** Any rule that may be stored. */
export const anyRule: fc.Arbitrary<RuleDefinition> = fc.oneof(
  record({ kind: fc.constant('block' as const), ...ofPayments }),
  record({ kind: fc.constant('trigger_3ds' as const), ...ofPayments }),
  record({
    kind: fc.constant('route' as const),
    ...common,
    strategy: fc.constant('priority' as const),
    gateways: priority,
    fallback,
  }),
  record({
    kind: fc.constant('route' as const),
    ...common,
    strategy: fc.constant('split' as const),
    gateways: split,
    fallback,
  }),
  record({
    kind: fc.constant('dynamic_3ds' as const),
    ...ofPayments,
    gatewayConfigurationIds: fc.uniqueArray(gatewayId, { maxLength: 3 }),
    parameters,
  }),
)
