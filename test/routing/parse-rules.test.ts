import { describe, expect, test } from '@jest/globals'
import type { Condition } from '../../domain/routing/condition.ts'
import { NO_FALLBACK, type RuleDefinition } from '../../domain/routing/rule.ts'
import { parseRules } from '../../src/routing/parse-rules.ts'
import { printCondition } from '../../src/routing/print-rules.ts'
import { RoutingTextError } from '../../src/routing/scanner.ts'

const EUR = { defaultCurrency: 'EUR' }
const parse = (text: string) => parseRules(text, EUR)

function conditionOf(text: string): Condition | null {
  return parse(`block { condition: ${text} }`)[0]?.condition ?? null
}

/** The condition with every group in parentheses. */
function grouped(condition: Condition | null): string {
  if (condition === null) return ''
  if (condition.kind === 'comparison') return printCondition(condition)
  if (condition.kind === 'not') return `NOT(${grouped(condition.condition)})`
  return `(${condition.conditions.map(grouped).join(condition.kind === 'and' ? ' AND ' : ' OR ')})`
}

function refusal(text: string): RoutingTextError {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof RoutingTextError) return error
    throw error
  }
  throw new Error(`This was not refused: ${text}`)
}

describe('A rule set as text', () => {
  test('is read as ProcessOut writes it', () => {
    const text = `block{gateways: ;condition: velocity{path:card_fingerprint; interval:1h} > 1; tags: velocity(card_fingerprint within 1h) > 1; }
trigger_3ds{gateways: ;condition: merchant_initiated == false; tags: Default 3DS; run_for_card_verifications: true}
route{gateways: gway_conf_a;condition: amount < 30 AND rand() > 0.5; tags: 50% dummy gateway,value < 30; }
dynamic_3ds{
  gateways: gway_conf_a;
  condition: card_country == "GB";
  dynamic_3ds_params: { sca_exemption_reason: "low-value"; challenge_indicator: "no_preference" }
}`
    const velocity = { kind: 'velocity', path: 'card_fingerprint', interval: '1h' }
    const common = { enabled: true, tags: [], runForCardVerifications: false }
    expect(parse(text)).toStrictEqual([
      {
        ...common,
        kind: 'block',
        condition: { kind: 'comparison', operand: velocity, operator: '>', value: '1' },
        tags: ['velocity(card_fingerprint within 1h) > 1'],
      },
      {
        ...common,
        kind: 'trigger_3ds',
        condition: {
          kind: 'comparison',
          operand: { kind: 'field', name: 'merchant_initiated' },
          operator: '==',
          value: false,
        },
        tags: ['Default 3DS'],
        runForCardVerifications: true,
      },
      {
        kind: 'route',
        enabled: true,
        condition: {
          kind: 'and',
          conditions: [
            { kind: 'comparison', operand: { kind: 'field', name: 'amount' }, operator: '<', value: '30' },
            { kind: 'comparison', operand: { kind: 'rand' }, operator: '>', value: '0.5' },
          ],
        },
        tags: ['50% dummy gateway', 'value < 30'],
        gateways: [{ gatewayConfigurationId: 'gway_conf_a', weight: null }],
        strategy: 'priority',
        fallback: NO_FALLBACK,
      },
      {
        ...common,
        kind: 'dynamic_3ds',
        condition: {
          kind: 'comparison',
          operand: { kind: 'field', name: 'card_country' },
          operator: '==',
          value: 'GB',
        },
        gatewayConfigurationIds: ['gway_conf_a'],
        parameters: { scaExemptionReason: 'low-value', challengeIndicator: 'no-preference' },
      },
    ] satisfies unknown)
  })

  test.each(['', ' \n\t', '/* nothing */', '/* a */ /* b */'])('may be empty: %j', (text) => {
    expect(parse(text)).toStrictEqual([])
  })

  test('may have comments, blanks and line ends anywhere but within a word', () => {
    const dense = parse('route{gateways:gway_conf_a;condition:amount<30 AND card_country in(GB,FR);tags:a,b}')
    const loose = `/* first */ route /* kind */ { gateways : gway_conf_a /* only */ ;\r\n
      condition: amount /* in EUR */ < 30 /**/ and card_country in ( GB , FR ) ; tags : a /* one */ , b ; } /* end */`
    expect(parse(loose)).toStrictEqual(dense)
  })

  test('takes weights as a split, in which a gateway without one counts once', () => {
    const [rule] = parse('route { gateways: gway_conf_a 3, gway_conf_b }') as [RuleDefinition]
    expect(rule).toMatchObject({ strategy: 'split', gateways: [{ weight: 3 }, { weight: 1 }] })
    expect(parse('route { gateways: gway_conf_a, gway_conf_b; strategy: split }')).toMatchObject([
      { strategy: 'split', gateways: [{ weight: 1 }, { weight: 1 }] },
    ])
  })

  test.each([
    ['fallback: true', { enabled: true, errorCodes: [], maxAttempts: 2 }],
    ['fallback: false', NO_FALLBACK],
    ['fallback: ', NO_FALLBACK],
    ['fallback: { }', { enabled: true, errorCodes: [], maxAttempts: 2 }],
    [
      'fallback: { error_codes: gateway.timeout; max_attempts: 4 }',
      { enabled: true, errorCodes: ['gateway.timeout'], maxAttempts: 4 },
    ],
  ])('%s is read', (text, fallback) => {
    expect(parse(`route { gateways: gway_conf_a; ${text} }`)).toMatchObject([{ fallback }])
  })
})

describe('A condition', () => {
  test.each([
    [
      'incremental == true OR merchant_initiated == true AND channel == web',
      '(incremental == true OR (merchant_initiated == true AND channel == "web"))',
    ],
    [
      'incremental == true AND merchant_initiated == true OR channel == web',
      '((incremental == true AND merchant_initiated == true) OR channel == "web")',
    ],
    ['NOT incremental == true AND channel == web', '(NOT(incremental == true) AND channel == "web")'],
    ['NOT (incremental == true AND channel == web)', 'NOT((incremental == true AND channel == "web"))'],
    [
      '(incremental == true OR merchant_initiated == true) AND channel == web',
      '((incremental == true OR merchant_initiated == true) AND channel == "web")',
    ],
    ['NOT NOT incremental == true', 'NOT(NOT(incremental == true))'],
    ['((channel == web))', 'channel == "web"'],
  ])('%s means %s', (text, meaning) => {
    expect(grouped(conditionOf(text))).toBe(meaning)
  })

  test.each([
    ['card_country not-in (GB, FR)', 'card_country not-in ("GB", "FR")'],
    ['card_country NOT IN [GB]', 'card_country not-in ("GB")'],
    ['card_country In ("GB")', 'card_country in ("GB")'],
    ['card_iin contains 4242', 'card_iin contains "4242"'],
    ['payment_intent == one-off', 'payment_intent == "one-off"'],
    ['card_last4 == 0042', 'card_last4 == "0042"'],
    ['card_co_scheme == null', 'card_co_scheme == null'],
    ['metadata.plan == "null"', 'metadata.plan == "null"'],
    ['metadata."my key" >= -0.5', 'metadata."my key" >= -0.5'],
    ['metadata.a.b-c == x', 'metadata.a.b-c == "x"'],
    ['velocity(ip_address, 30m)>=3', 'velocity{path: ip_address; interval: 30m} >= 3'],
    ['rand( )<=0.25', 'rand() <= 0.25'],
    ['amount<30.00', 'amount < 30.00'],
  ])('%s is printed as %s', (text, printed) => {
    expect(printCondition(conditionOf(text) as Condition)).toBe(printed)
  })
})

describe('What is wrong with a text', () => {
  test('is told with its line and column, and the nearest name', () => {
    const error = refusal('route {\n  gateways: gway_conf_a;\n  condition: amount < 30 AND card_contry == GB\n}')
    expect(error.message).toBe('Line 3, column 30: the field "card_contry" is not known; did you mean card_country?')
    expect(error).toMatchObject({ line: 3, column: 30 })
  })

  test.each([
    ['blok {}', 1, 'the kind of rule "blok" is not known; did you mean block?'],
    ['block', 6, 'the end of the text is not expected here; expected "{".'],
    [
      'block {',
      8,
      'the end of the text is not expected here; expected condition, tags, enabled, gateways, run_for_card_verifications, "}".',
    ],
    [
      'block { condition: amount ! 3 }',
      27,
      '"!" is not expected here; expected ==, !=, <, <=, >, >=, in, not-in, contains.',
    ],
    [
      'block { condition: amount = 3 }',
      27,
      '"=" is not expected here; expected ==, !=, <, <=, >, >=, in, not-in, contains.',
    ],
    ['block { condition: (amount < 3 }', 32, '"}" is not expected here; expected AND, OR, ")".'],
    ['block { condition: amount < 3 tags: a }', 31, '"tags" is not expected here; expected AND, OR, ";", "}".'],
    ['block { condition: card_country in GB }', 36, '"GB" is not expected here; expected "(", "[".'],
    ['block { condition: card_country NOT GB }', 37, '"GB" is not expected here; expected IN.'],
    ['block { condition: AND amount < 3 }', 20, 'AND is not expected here; a field comes first.'],
    ['block { condition: amount < "thirty" }', 20, '"thirty" is not an amount of EUR, such as 30 or 29.99.'],
    [
      'block { condition: currency == JPY AND amount < 0.5 }',
      40,
      '"0.5" is not an amount of JPY, such as 30 or 29.99.',
    ],
    ['block { condition: currency < EUR }', 20, 'currency is compared by ==, !=, in, not-in, contains, not by <.'],
    ['block { condition: amount in (1, 2) }', 20, 'amount is compared by ==, !=, <, <=, >, >=, not by in.'],
    [
      'block { condition: card_country == UK }',
      20,
      'card_country is the two letters of a country, such as GB, not "UK".',
    ],
    [
      'block { condition: currency == EURO }',
      20,
      'currency is the three letters of a currency, such as EUR, not "EURO".',
    ],
    ['block { condition: card_iin == 4242 }', 20, 'card_iin is the first 6 to 8 digits of a card, not "4242".'],
    ['block { condition: incremental == yes }', 35, 'the value "yes" is not known; expected true, false.'],
    ['block { condition: amount == null }', 20, 'amount == cannot be compared with null.'],
    [
      'block { condition: velocity(card_nmber, 1h) > 1 }',
      29,
      'the path "card_nmber" is not known; expected card_fingerprint, card_iin, customer_id, ip_address.',
    ],
    [
      'block { condition: velocity(card_iin, 31d) > 1 }',
      20,
      'an interval is written like 30s, 15m, 1h or 7d, and is 30 days at most.',
    ],
    [
      'block { condition: velocity(card_iin, 1h) > many }',
      20,
      'velocity{path: card_iin; interval: 1h} > takes a number, such as 10 or 0.5.',
    ],
    ['block { condition: metadata. == 1 }', 30, '"=" is not expected here; expected a key of metadata.'],
    ['block { enabled: yes }', 18, 'the value "yes" is not known; expected true, false.'],
    ['block { tags: a; tags: b }', 18, 'tags is given twice.'],
    ['block { tags: a,, b }', 17, '"," is not expected here; expected a tag.'],
    ['block { tags: "" }', 9, 'a tag has 1 to 100 characters and no control characters: "".'],
    ['block { tags: "a }', 15, 'this quoted text has no end on its line.'],
    ['block { tags: "\\x" }', 15, 'this quoted text has an escape or a character that JSON does not know.'],
    ['block { /* no end }', 9, 'this comment has no end.'],
    ['block { gateways: gway_conf_a }', 1, 'block names no gateways: it looks at a payment before one is chosen.'],
    ['route { }', 1, 'a route names at least one gateway.'],
    ['route { gateways: gway_conf_a 1.5 }', 31, 'a whole number is expected here.'],
    ['route { gateways: gway_conf_a: }', 30, '":" is not expected here; expected a whole number, ",", ";", "}".'],
    ['route { gateways: gway_conf_a 0 }', 9, 'one weight at least is above 0.'],
    ['route { gateways: gway_conf_a 1001 }', 9, 'a weight is a whole number from 0 to 1000.'],
    ['route { gateways: gway_conf_a, gway_conf_a }', 9, 'a gateway is named twice.'],
    ['route { gateways: stripe }', 9, '"stripe" is not the id of a gateway configuration.'],
    ['route { gateways: gway_conf_a 1; strategy: priority }', 1, 'weights go with the strategy split.'],
    [
      'route { gateways: gway_conf_a; run_for_card_verifications: true }',
      32,
      'in route the property "run_for_card_verifications" is not known; expected condition, tags, enabled, gateways, strategy, fallback.',
    ],
    [
      'route { gateways: gway_conf_a; fallback: { error_codes: card.stolen } }',
      32,
      '"card.stolen" is no error that may lead to another gateway.',
    ],
    [
      'route { gateways: gway_conf_a; fallback: { error_codes: gateway.timout } }',
      32,
      '"gateway.timout" is no error that may lead to another gateway; did you mean gateway.timeout?',
    ],
    ['route { gateways: gway_conf_a; fallback: { max_attempts: 6 } }', 32, 'max_attempts is 1 to 5.'],
    [
      'dynamic_3ds { dynamic_3ds_params: { challenge_indicator: { } }',
      58,
      '"{" is not expected here; expected a value.',
    ],
    ['dynamic_3ds { }', 1, 'dynamic_3ds_params names sca_exemption_reason, challenge_indicator or both.'],
    [
      'dynamic_3ds { gateways: gway_conf_a 1; dynamic_3ds_params: { challenge_indicator: cb-scoring } }',
      1,
      'dynamic_3ds takes no weights.',
    ],
  ])('%s', (text, column, message) => {
    expect(refusal(text).message).toBe(`Line 1, column ${column}: ${message}`)
  })

  test('is told in the order of the text', () => {
    const { column, others } = refusal('route { condition: card_country == UK; gateways: stripe }')
    expect([column, ...others.map((other) => other.column)]).toEqual([20, 40])
  })

  test('is what is too much of it', () => {
    const isShortened = `the field "${'a'.repeat(30)}…" is not known`
    expect(refusal(`block { condition: ${'a'.repeat(31)} == 1 }`).message).toContain(isShortened)
    expect(refusal(`block { tags: ${'x'.repeat(101)} }`).message).toContain('a tag has 1 to 100 characters')
    expect(refusal(`block { tags: ${Array.from({ length: 21 }, (_, index) => index).join(',')} }`).message).toContain(
      'at most 20 tags',
    )
    const many = Array.from({ length: 101 }, () => 'incremental == true').join(' OR ')
    expect(refusal(`block { condition: ${many} }`).message).toContain('at most 100 comparisons')
    expect(refusal(`block { condition: ${'NOT '.repeat(22)} incremental == true }`).message).toContain(
      'nested at most 20 deep',
    )
  })
})
