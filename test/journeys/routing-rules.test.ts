import { beforeAll, describe, expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'

const SECOND_ACCOUNT = { name: 'Second account' }

const stack = stackForFile()
let first: string
let second: string

beforeAll(async () => {
  first = (await stack.get('/gateway-configurations')).body.gateway_configurations[0].id
  const { body } = await stack.post('/gateways/simulator/gateway-configurations', SECOND_ACCOUNT)
  second = body.gateway_configuration.id
})

/** Names in the text stand for the accounts. */
async function activate(text: string): Promise<void> {
  const rules = text.replaceAll('FIRST', first).replaceAll('SECOND', second)
  const { status, body } = await stack.post('/routing-rules', { rules })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

/** Explains a payment, makes it, and tells what was said and what came of it, in the same words. */
async function explainedAndMade(invoiceFields: object) {
  const [invoice, card] = [await stack.createInvoice(invoiceFields), await stack.createCard()]
  const fields = { invoice_id: invoice.id, source: card.id }
  const { explanation } = (await stack.post('/routing-rules/explain', fields)).body
  const authorized = await stack.post(`/invoices/${invoice.id}/authorize`, { source: card.id })
  const after = (await stack.get(`/invoices/${invoice.id}?expand=transaction`)).body.invoice.transaction
  return {
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
})
