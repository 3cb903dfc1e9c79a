import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeStack, type Stack } from '../support/stack.ts'

/** That all of them go to one of two equal accounts happens once in 2 ** 59 runs. */
const SPLIT_TRIES_MAX = 60

const SECOND_ACCOUNT = { name: 'Second account' }

let stack: Stack
let first: string
let second: string

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  first = (await stack.get('/gateway-configurations')).body.gateway_configurations[0].id
  const { body } = await stack.post('/gateways/simulator/gateway-configurations', SECOND_ACCOUNT)
  second = body.gateway_configuration.id
})
afterAll(() => stack.stop())

/** Names in the text stand for the accounts. */
async function activate(text: string): Promise<number> {
  const rules = text.replaceAll('FIRST', first).replaceAll('SECOND', second)
  const { status, body } = await stack.post('/routing-rules', { rules })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.rule_set.version
}

/** Explains a payment, makes it, and tells what was said and what came of it, in the same words. */
async function explainedAndMade(invoiceFields: object = {}, cardFields: object = {}) {
  const [invoice, card] = [await stack.createInvoice(invoiceFields), await stack.createCard(cardFields)]
  const fields = { invoice_id: invoice.id, source: card.id }
  const { explanation } = (await stack.post('/routing-rules/explain', fields)).body
  const authorized = await stack.post(`/invoices/${invoice.id}/authorize`, { source: card.id })
  const after = (await stack.get(`/invoices/${invoice.id}?expand=transaction`)).body.invoice.transaction
  const later = (await stack.post('/routing-rules/explain', { invoice_id: invoice.id })).body.explanation
  return {
    explanation,
    later,
    said: {
      error: explanation.error_type,
      gateway: explanation.gateways[0]?.gateway_configuration_id ?? null,
      tags: explanation.routing_tags,
      version: explanation.rule_set_version,
    },
    made: {
      error: authorized.body.error_type ?? null,
      gateway: after?.gateway_configuration_id ?? null,
      tags: after?.routing_tags ?? [],
      version: after?.rule_set_version ?? null,
    },
  }
}

describe('an explanation is what an authorization then does', () => {
  test.each([
    ['a route', 'route { gateways: SECOND; tags: two; }', {}],
    ['a route that does not match', 'route { gateways: SECOND; condition: card_country == KP; }', {}],
    ['a block', 'block { condition: metadata.risk == high; tags: risky; }', { metadata: { risk: 'high' } }],
    ['a missing value', 'block { condition: metadata.risk != high; }', {}],
    [
      'an amount in a currency',
      'block { condition: amount > 10 AND currency == EUR; } route { gateways: FIRST; }',
      { amount: '10.01', currency: 'EUR' },
    ],
    ['a wish to authenticate', 'trigger_3ds { condition: card_scheme == visa; tags: SCA; }', {}],
    [
      'a wish to authenticate whom nobody can ask',
      'trigger_3ds { tags: SCA; } route { gateways: SECOND; }',
      { merchant_initiator_type: 'one-off' },
    ],
    [
      'parameters of one gateway',
      'route { gateways: SECOND; } dynamic_3ds { gateways: FIRST; dynamic_3ds_params: { challenge_indicator: no-preference } } ' +
        'dynamic_3ds { gateways: SECOND; tags: second; dynamic_3ds_params: { challenge_indicator: no-preference } }',
      {},
    ],
  ])('with %s', async (_, text, fields) => {
    await activate(text)
    const { said, made } = await explainedAndMade(fields)
    expect(made).toEqual(said)
  })

  test('with a split by weight and rand(), for every payment by itself, and afterwards still', async () => {
    const version = await activate(
      `route { gateways: FIRST 50, SECOND 50; tags: split; }
       dynamic_3ds { condition: rand() < 0.5; tags: lucky; dynamic_3ds_params: { challenge_indicator: no-preference } }`,
    )
    const gateways = new Set<string>()
    // Where a payment goes is up to its id: by chance all of the first few go the same way.
    for (let count = 0; count < 6 || (gateways.size < 2 && count < SPLIT_TRIES_MAX); count += 1) {
      const { said, made, explanation, later } = await explainedAndMade()
      expect(made).toEqual(said)
      expect(explanation.rule_set_version).toBe(version)
      // Nothing of it has changed since, but that the payment was made.
      expect({ ...later, velocities: [] }).toEqual({ ...explanation, velocities: [] })
      gateways.add(made.gateway)
    }
    expect([...gateways].toSorted()).toEqual([first, second].toSorted())
  })

  test('with a velocity: the payments before this one count, and the blocked one does not', async () => {
    await activate('block { condition: velocity(card_fingerprint, 1h) > 1; tags: testing; }')
    const number = '4000000000000077'
    const counts = []
    for (let count = 0; count < 4; count += 1) {
      const { said, made, explanation, later } = await explainedAndMade({}, { number })
      expect(made).toEqual(said)
      // The payment itself is never among those that are counted.
      expect(later.velocities).toEqual(explanation.velocities)
      counts.push([explanation.velocities[0].count, made.error])
    }
    expect(counts).toEqual([
      [0, null],
      [1, null],
      [2, 'routing-rules.transaction-blocked'],
      [2, 'routing-rules.transaction-blocked'],
    ])
  })

  test('with a gateway that takes nothing', async () => {
    await activate('route { gateways: FIRST; }')
    await stack.put(`/gateway-configurations/${first}`, { enabled: false })
    const { said, made } = await explainedAndMade()
    // Nothing was tried, so there is no transaction that could name the rules.
    expect(made).toEqual({
      error: 'request.configuration.missing-gateway-configuration',
      gateway: null,
      tags: [],
      version: null,
    })
    expect(said.error).toBe(made.error)
    await stack.put(`/gateway-configurations/${first}`, { enabled: true })
  })
})

describe('a version that is activated', () => {
  test('decides from the next payment on, and one that is rolled back to does too', async () => {
    await activate('route { gateways: FIRST; tags: one; }')
    const earlier = (await stack.get('/routing-rules')).body.rule_set.id
    expect((await explainedAndMade()).made.tags).toEqual(['rule-1-route', 'one'])
    await activate('route { gateways: SECOND; tags: two; }')
    expect((await explainedAndMade()).made).toMatchObject({ gateway: second, tags: ['rule-1-route', 'two'] })
    await stack.post(`/rule-sets/${earlier}/activate`, {})
    expect((await explainedAndMade()).made).toMatchObject({ gateway: first, tags: ['rule-1-route', 'one'] })
    await stack.delete('/routing-rules')
    expect((await explainedAndMade()).made).toMatchObject({ error: null, tags: [] })
  })
})
