import { beforeEach, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { RuleSetEntity } from '../../../src/persistence/entities/rule-set.ts'
import { interfaceForFile, type Merchant } from '../../http/interface.ts'
import { readLog } from '../../support/audit-log.ts'

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
      'as a text, by line and column',
      'block { condition: card_country == England; }\nroute { gateways: gway_conf_a; }',
      [
        { name: 'rules', line: 1, column: 20, message: expect.stringContaining('the two letters of a country') },
        { name: 'rules', line: 2, column: 9, message: expect.stringContaining('is no gateway configuration') },
      ],
    ],
    [
      'as a list',
      [{ kind: 'bloc' }],
      [{ name: 'rules.0.kind', message: expect.stringContaining('block, trigger_3ds') }],
    ],
    ['where there are none', [], [{ name: 'rules', message: expect.stringContaining('has no rule') }]],
  ])('%s', async (_, rules, invalidFields) => {
    expect(await create({ rules })).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.error', invalid_fields: invalidFields },
    })
    expect(await versions()).toBe(0)
    expect(await active()).toBeNull()
    expect(await acts()).toEqual([])
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

  test('is one after twenty requests at once, without a gap', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ rules: TEXT })))
    const numbers = answers.map(({ body }) => body.rule_set.version).toSorted((one, other) => one - other)
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(await active()).toMatchObject({ version: 20 })
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
