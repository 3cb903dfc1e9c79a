import { describe, expect, test } from '@jest/globals'
import { ALL_CAPABILITIES, type Capabilities } from '../../../domain/capabilities.ts'
import {
  findCandidates,
  type GatewayOption,
  noCandidateError,
  type PaymentNeeds,
} from '../../../domain/routing/candidates.ts'

function gateway(given: Partial<GatewayOption> = {}): GatewayOption {
  return {
    gatewayConfigurationId: 'gway_conf_a',
    enabled: true,
    draining: false,
    capabilities: ALL_CAPABILITIES,
    ...given,
  }
}

const NEEDS: PaymentNeeds = {
  currency: 'EUR',
  schemes: ['visa', 'carte bancaire'],
  incremental: false,
  mayGoWithoutIncrements: false,
  maySell: false,
  capturesPart: false,
  leavesRest: false,
}

function find(option: GatewayOption, needs: Partial<PaymentNeeds> = {}) {
  return findCandidates(['gway_conf_a'], new Map([['gway_conf_a', option]]), { ...NEEDS, ...needs })
}

const able = (given: Partial<Capabilities>) => ({ capabilities: { ...ALL_CAPABILITIES, ...given } })
const SALE_ONLY = able({ authorize: false })
const NO_INCREMENTS = able({ incrementalAuthorization: false })

describe('A gateway cannot take a payment', () => {
  test.each([
    ['that is switched off', { enabled: false }, {}, 'disabled'],
    ['that is drained', { draining: true }, {}, 'draining'],
    ['without the currency', able({ currencies: ['GBP', 'USD'] }), {}, 'unsupported-currency'],
    ['without any scheme of the card', able({ schemes: ['mastercard'] }), {}, 'unsupported-scheme'],
    ['that only does sales', SALE_ONLY, {}, 'sale-only'],
    [
      'without captures of a part, where one is wanted',
      able({ partialCapture: false }),
      { capturesPart: true },
      'no-partial-capture',
    ],
    [
      'without further captures, where they are wanted',
      able({ multipleCaptures: false }),
      { leavesRest: true },
      'no-multiple-captures',
    ],
    ['without increments, where they are wanted', NO_INCREMENTS, { incremental: true }, 'no-increments'],
  ] as const)('%s', (_, given, needs, reason) => {
    expect(find(gateway(given), needs)).toStrictEqual({
      usable: [],
      rejected: [{ gatewayConfigurationId: 'gway_conf_a', reason }],
    })
  })

  test('that is not there any more', () => {
    expect(findCandidates(['gway_conf_gone'], new Map(), NEEDS).rejected).toStrictEqual([
      { gatewayConfigurationId: 'gway_conf_gone', reason: 'unknown' },
    ])
  })
})

describe('A gateway can take a payment', () => {
  test.each([
    ['with everything', {}, {}, { incremental: false, isSaleOnly: false }],
    ['with the currency', able({ currencies: ['EUR'] }), {}, { incremental: false, isSaleOnly: false }],
    [
      'with one of the schemes of the card',
      able({ schemes: ['carte bancaire'] }),
      {},
      { incremental: false, isSaleOnly: false },
    ],
    [
      'whatever its schemes, where there is no card',
      able({ schemes: ['jcb'] }),
      { schemes: [] },
      { incremental: false, isSaleOnly: false },
    ],
    ['by a sale, where that is allowed', SALE_ONLY, { maySell: true }, { incremental: false, isSaleOnly: true }],
    ['with increments', {}, { incremental: true }, { incremental: true, isSaleOnly: false }],
    [
      'without increments, where the payment may do without',
      NO_INCREMENTS,
      { incremental: true, mayGoWithoutIncrements: true },
      { incremental: false, isSaleOnly: false },
    ],
  ] as const)('%s', (_, given, needs, terms) => {
    expect(find(gateway(given), needs)).toStrictEqual({
      usable: [{ gatewayConfigurationId: 'gway_conf_a', ...terms }],
      rejected: [],
    })
  })

  test('in the order of the route, with those left out that cannot', () => {
    const gateways = new Map(
      ['a', 'b', 'c'].map((name) => [`gway_conf_${name}`, gateway({ draining: name === 'b' })] as const),
    )
    const { usable, rejected } = findCandidates(['gway_conf_c', 'gway_conf_b', 'gway_conf_a'], gateways, NEEDS)
    expect(usable.map(({ gatewayConfigurationId }) => gatewayConfigurationId)).toStrictEqual([
      'gway_conf_c',
      'gway_conf_a',
    ])
    expect(rejected).toStrictEqual([{ gatewayConfigurationId: 'gway_conf_b', reason: 'draining' }])
  })
})

describe('A payment that no gateway can take', () => {
  test('has no gateway', () => {
    expect(noCandidateError([])).toBe('request.configuration.missing-gateway-configuration')
    expect(noCandidateError([{ gatewayConfigurationId: 'gway_conf_a', reason: 'unsupported-currency' }])).toBe(
      'request.configuration.missing-gateway-configuration',
    )
  })

  test.each(['sale-only', 'no-increments'] as const)(
    'asks too much, where one could take it but for that: %s',
    (reason) => {
      expect(
        noCandidateError([
          { gatewayConfigurationId: 'gway_conf_a', reason: 'disabled' },
          { gatewayConfigurationId: 'gway_conf_b', reason },
        ]),
      ).toBe('request.gateway.operation-not-supported')
    },
  )
})
