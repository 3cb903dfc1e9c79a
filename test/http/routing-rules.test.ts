import { beforeEach, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { RuleSetEntity } from '../../src/persistence/entities/rule-set.ts'
import { readLog } from '../support/audit-log.ts'
import { interfaceForFile, type Merchant } from './interface.ts'

const TEXT = `/* Kept as it was written. */
block {
  condition: velocity{path: card_fingerprint; interval: 1h} > 3;
  tags: card testing;
}`

const api = interfaceForFile()
let merchant: Merchant
let gatewayId: string

beforeEach(async () => {
  merchant = await api.makeMerchant({ sandbox: true })
  const { projectId } = merchant
  const row = await api.database.orm.em.fork().findOneOrFail(GatewayConfigurationEntity, { projectId, sandbox: true })
  gatewayId = row.id
})

const create = (fields: object, by = merchant) => by.client.post('/routing-rules', fields)
const active = async (by = merchant) => (await by.client.get('/routing-rules')).body.rule_set
const versions = async () => api.database.orm.em.fork().count(RuleSetEntity, { projectId: merchant.projectId })
const acts = async () =>
  (await readLog(api.database, `project ${merchant.projectId}`))
    .filter(({ kind }) => kind.startsWith('rule-set.'))
    .map(({ kind, facts }) => ({ kind, ...JSON.parse(facts) }))

describe('rules are refused, and nothing changes', () => {
  test.each([
    [
      'with a field that is not known, by line and column, with what was meant',
      'route {\n  gateways: gway_conf_a;\n  condition: card_contry == GB;\n}',
      [
        {
          name: 'rules',
          line: 3,
          column: 14,
          message: 'Line 3, column 14: the field "card_contry" is not known; did you mean card_country?',
        },
      ],
    ],
    [
      'with an end that is missing',
      'block {',
      [{ name: 'rules', line: 1, column: 8, message: expect.stringContaining('the end of the text') }],
    ],
    [
      'with several mistakes that can be told at once, in the order of the text',
      'block { condition: card_country == England; }\nroute { gateways: gway_conf_a; fallback: { error_codes: card.do-not-honour } }',
      [
        { name: 'rules', line: 1, column: 20, message: expect.stringContaining('the two letters of a country') },
        { name: 'rules', line: 2, column: 9, message: expect.stringContaining('is no gateway configuration') },
        { name: 'rules', line: 2, column: 32, message: expect.stringContaining('did you mean card.do-not-honor?') },
      ],
    ],
    ['with nothing but a comment', '/* none */', [{ name: 'rules', message: expect.stringContaining('has no rule') }]],
    ['as an empty text', '', [{ name: 'rules', message: expect.stringContaining('has no rule') }]],
    ['as an empty list', [], [{ name: 'rules', message: expect.stringContaining('has no rule') }]],
    ['as a number', 1, [{ name: 'rules', message: 'must be a text or a list of rules' }]],
    [
      'of a kind that is not known',
      [{ kind: 'bloc' }],
      [{ name: 'rules.0.kind', message: expect.stringContaining('block, trigger_3ds, route, dynamic_3ds') }],
    ],
    [
      'with a property of another kind',
      [{ kind: 'block' }, { kind: 'block', strategy: 'split' }],
      [{ name: 'rules.1', message: 'has no field strategy' }],
    ],
    [
      'with a condition that means nothing, by its place in the tree',
      [
        {
          kind: 'block',
          condition: {
            kind: 'and',
            conditions: [
              {
                kind: 'comparison',
                operand: { kind: 'field', name: 'incremental' },
                operator: '==',
                value: true,
              },
              { kind: 'comparison', operand: { kind: 'field', name: 'amount' }, operator: '<', value: 'much' },
            ],
          },
        },
      ],
      [{ name: 'rules.0.condition.conditions.1', message: expect.stringContaining('is not an amount of') }],
    ],
    [
      'with a field that is not known, in a tree',
      [
        {
          kind: 'block',
          condition: {
            kind: 'comparison',
            operand: { kind: 'field', name: 'card_contry' },
            operator: '==',
            value: 'GB',
          },
        },
      ],
      [{ name: 'rules.0.condition.operand.name', message: expect.stringContaining('did you mean card_country?') }],
    ],
    [
      'with the text of a condition that cannot be read',
      [{ kind: 'block', condition: 'card_country = GB' }],
      [{ name: 'rules.0.condition', line: 1, column: 14, message: expect.stringContaining('expected ==') }],
    ],
    [
      'with two conditions that differ',
      [{ kind: 'block', condition: null, condition_text: 'amount < ' }],
      [{ name: 'rules.0.condition_text', line: 1, column: 10, message: expect.stringContaining('end of the text') }],
    ],
    [
      'with weights that are none',
      [{ kind: 'route', gateways: [{ gateway_configuration_id: 'gway_conf_a', weight: 1.5 }] }],
      [
        { name: 'rules.0.gateways', message: expect.stringContaining('is no gateway configuration') },
        { name: 'rules.0.gateways', message: expect.stringContaining('a weight is a whole number') },
      ],
    ],
  ])('%s', async (_, rules, invalidFields) => {
    expect(await create({ rules })).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.error', invalid_fields: invalidFields },
    })
    expect(await versions()).toBe(0)
    expect(await active()).toBeNull()
    expect(await acts()).toEqual([])
  })

  describe('that are wrong in thousands of places', () => {
    const wrongName = { kind: 'field', name: 'card_contry' }
    const comparison = { kind: 'comparison', operand: wrongName, operator: '==', value: 'GB' }
    const many = (count: number, part: unknown) => Array.from({ length: count }, () => part)
    const near = ({ message }: { message: string }) => /did you mean/.test(message)

    test.each([
      ['of one condition', [{ kind: 'block', condition: { kind: 'and', conditions: many(500, comparison) } }]],
      ['of many conditions', many(400, { kind: 'block', condition: comparison })],
      ['of a condition of nothing', [{ kind: 'block', condition: { kind: 'or', conditions: many(15_000, {}) } }]],
      ['of the texts of conditions', many(480, { kind: 'block', condition_text: 'card_contry == GB' })],
      ['of no rules at all', many(500, {})],
      [
        'of error codes',
        [
          {
            kind: 'route',
            gateways: [],
            fallback: { error_codes: many(2_000, 'card.do-not-honour') },
          },
        ],
      ],
    ])('%s, are told twenty, and five words that were probably meant', async (_, rules) => {
      const { status, body } = await create({ rules })
      expect(status).toBe(400)
      expect(body.invalid_fields).toHaveLength(20)
      const suggestions = JSON.stringify(rules).includes('card') ? 5 : 0
      expect(body.invalid_fields.filter(near)).toHaveLength(suggestions)
    })

    test.each([
      [
        'values',
        {
          kind: 'block',
          condition: { ...comparison, operand: { kind: 'rand' }, operator: 'in', value: many(20_000, 1) },
        },
      ],
      ['tags', { kind: 'block', tags: many(20_000, 1) }],
      ['gateways', { kind: 'route', gateways: many(10_000, {}) }],
    ])('are told once of a list of %s', async (_, rule) => {
      const { status, body } = await create({ rules: [rule] })
      expect(status).toBe(400)
      expect(body.invalid_fields).toHaveLength(1)
    })

    test('are not read at all where there are more than a rule set has', async () => {
      expect(await create({ rules: many(501, { kind: 'blcok' }) })).toMatchObject({
        status: 400,
        body: { invalid_fields: [{ name: 'rules', message: 'must have 500 rules at most' }] },
      })
    })
  })

  test('that name a gateway of nobody, of another project or of the other environment; the nearest one is named', async () => {
    const stranger = await api.makeMerchant({ sandbox: true })
    const theirs = await api.database.orm.em
      .fork()
      .findOneOrFail(GatewayConfigurationEntity, { projectId: stranger.projectId, sandbox: true })
    for (const id of ['gway_conf_none', theirs.id]) {
      const { status, body } = await create({ rules: `route { gateways: ${id}; }` })
      expect(status).toBe(400)
      expect(body.invalid_fields[0].message).toContain(`${id} is no gateway configuration of this project`)
    }
    const misspelt = `${gatewayId.slice(0, -1)}${gatewayId.endsWith('0') ? '1' : '0'}`
    const { body } = await create({ rules: [{ kind: 'route', gateways: [{ gateway_configuration_id: misspelt }] }] })
    expect(body.invalid_fields).toEqual([
      { name: 'rules.0.gateways', message: expect.stringContaining(`did you mean ${gatewayId}?`) },
    ])
    expect(await versions()).toBe(0)
  })
})

describe('a version of the rules', () => {
  test('decides at once, and is told as it was written and as it was read', async () => {
    const { status, body } = await create({ rules: TEXT })
    expect(status).toBe(200)
    const { rule_set: ruleSet } = body
    expect(ruleSet).toEqual({
      id: expect.stringMatching(/^rs_[0-9A-Za-z]{32}$/),
      project_id: merchant.projectId,
      version: 1,
      active: true,
      activated_at: api.clock.now().toISOString(),
      default_currency: expect.stringMatching(/^[A-Z]{3}$/),
      created_by: expect.stringMatching(/^key_/),
      sandbox: true,
      created_at: api.clock.now().toISOString(),
      text: TEXT,
      rules: [
        {
          id: expect.stringMatching(/^rr_/),
          position: 1,
          kind: 'block',
          enabled: true,
          condition: {
            kind: 'comparison',
            operand: { kind: 'velocity', path: 'card_fingerprint', interval: '1h' },
            operator: '>',
            value: '3',
          },
          condition_text: 'velocity{path: card_fingerprint; interval: 1h} > 3',
          tags: ['card testing'],
          run_for_card_verifications: false,
        },
      ],
    })
    expect(await active()).toEqual(ruleSet)
    expect((await merchant.client.get(`/rule-sets/${ruleSet.id}`)).body.rule_set).toEqual(ruleSet)
  })

  test('runs for card verifications where its JSON says so, and nowhere else', async () => {
    const rule = { condition: 'amount > 3', kind: 'block' }
    const { body } = await create({ rules: [rule, { ...rule, run_for_card_verifications: true }] })
    expect(body.rule_set.rules).toMatchObject([
      { run_for_card_verifications: false },
      { run_for_card_verifications: true },
    ])
  })

  test('is replaced by the next one, and decides again after a roll-back', async () => {
    const first = (await create({ rules: TEXT })).body.rule_set
    api.clock.advance(1_000)
    const second = (await create({ rules: 'block { condition: card_country == FR; }' })).body.rule_set
    expect(await active()).toMatchObject({ id: second.id, version: 2 })
    expect((await merchant.client.get(`/rule-sets/${first.id}`)).body.rule_set).toMatchObject({ active: false })

    const rolledBack = await merchant.client.post(`/rule-sets/${first.id}/activate`, {})
    expect(rolledBack).toMatchObject({ status: 200, body: { rule_set: { id: first.id, active: true, text: TEXT } } })
    expect(await active()).toMatchObject({ id: first.id, version: 1 })

    expect((await merchant.client.delete('/routing-rules')).body).toEqual({ success: true, rule_set: null })
    expect(await active()).toBeNull()
    // A second time there is nothing to do.
    expect((await merchant.client.delete('/routing-rules')).status).toBe(200)
    expect(await acts()).toEqual([
      {
        kind: 'rule-set.created',
        rule_set_id: first.id,
        version: 1,
        rules: 1,
        text_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        active: true,
        replaced_rule_set_id: null,
      },
      expect.objectContaining({ kind: 'rule-set.created', version: 2, replaced_rule_set_id: first.id }),
      { kind: 'rule-set.activated', rule_set_id: first.id, version: 1, replaced_rule_set_id: second.id },
      { kind: 'rule-set.deactivated', rule_set_id: first.id, version: 1 },
    ])
  })

  test('is one after fifty requests at once, without a gap', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ rules: TEXT })))
    const told = answers.map(({ body }) => body.rule_set.version).toSorted((one, other) => one - other)
    expect(told).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    expect(await active()).toMatchObject({ version: 50 })
  })

  test('means amounts in the currency that the project had when it was made', async () => {
    const { projectId } = merchant
    const set = (currency: string) =>
      api.database.orm.em.fork().execute('update project set default_currency = ? where id = ?', [currency, projectId])
    await set('EUR')
    await create({ rules: 'block { condition: amount > 29.99; }' })
    await set('JPY')
    expect(await active()).toMatchObject({ default_currency: 'EUR' })
    expect((await create({ rules: 'block { condition: amount > 29.99; }' })).status).toBe(400)
    const { body } = await merchant.client.post('/routing-rules/explain', {
      payment: { amount: '30.00', currency: 'EUR' },
    })
    expect(body.explanation).toMatchObject({ error_type: 'routing-rules.transaction-blocked' })
  })
})
