import { expect, test } from '@jest/globals'
import { ALL_CAPABILITIES } from '../../domain/capabilities.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import { readVelocityValues } from '../../src/routing/facts.ts'
import { findRoutable } from '../../src/routing/routable-gateways.ts'

const account = (id: string, capabilities: object = {}) =>
  ({ id, gatewayName: 'simulator', enabled: true, drainingSince: null, capabilities }) as GatewayConfigurationRow

const COMMAND = {
  incremental: false,
  autoCaptureAt: null,
  autoCaptureAmountMinor: null,
  autoCaptureIsFinal: true,
  capturesAtOnce: false,
  mayFallBackToSale: false,
}

test.each([
  ['a part is captured at once', { capturesAtOnce: true, autoCaptureAmountMinor: 1_000 }, ['parts']],
  ['a part is captured at an instant', { autoCaptureAmountMinor: 1_000 }, ['parts']],
  ['all is captured at once', { capturesAtOnce: true }, ['whole', 'parts']],
  ['all is captured at an instant', { autoCaptureAmountMinor: 2_900 }, ['whole', 'parts']],
  ['nothing is said of the capture', {}, ['whole', 'parts']],
])('where %s, it goes to the accounts that can do so', (_, command, usable) => {
  const found = findRoutable(
    [account('whole', { partialCapture: false }), account('parts')],
    {
      invoice: { amountMinor: 2_900, currency: 'EUR', bypassIncrementalAuthorization: false },
      command: { ...COMMAND, ...command },
      card: null,
    },
    null,
    () => ALL_CAPABILITIES,
  )
  expect(found.usable.map(({ configuration }) => configuration.id)).toEqual(usable)
})

test.each([
  ['of a card that is entered', null, null, '203.0.113.7'],
  ['of a card that was stored earlier, which may have been elsewhere', { customerId: 'cust_1' }, null, null],
  ['of the device, where the invoice has it', { customerId: 'cust_1' }, '198.51.100.1', '198.51.100.1'],
])('a payment counts for the address %s', (_, token, deviceAddress, address) => {
  const invoice = { customerId: null, device: deviceAddress === null ? null : { ipAddress: deviceAddress } }
  const values = readVelocityValues({
    invoice: invoice as Parameters<typeof readVelocityValues>[0]['invoice'],
    source: { card: { ipAddress: '203.0.113.7' }, token },
  })
  expect(values.ip_address).toBe(address)
})

test.each([
  ['of the stored card, whomever the invoice names', { customerId: 'cust_1' }, 'cust_1'],
  ['of the invoice, where no stored card pays', null, 'cust_2'],
])('a payment counts for the customer %s', (_, token, customerId) => {
  const invoice = { customerId: 'cust_2', device: null } as Parameters<typeof readVelocityValues>[0]['invoice']
  expect(readVelocityValues({ invoice, source: { card: null, token } }).customer_id).toBe(customerId)
})

const ASKED = {
  invoice: { amountMinor: 2_900, currency: 'EUR', bypassIncrementalAuthorization: true },
  command: COMMAND,
  card: { scheme: 'visa', coScheme: 'carte bancaire' },
}

test.each<[string, object, object, string[]]>([
  [
    'that leaves a rest for later captures goes to no account with one capture only',
    { multipleCaptures: false },
    { capturesAtOnce: true, autoCaptureAmountMinor: 1_000, autoCaptureIsFinal: false },
    ['any'],
  ],
  [
    'that leaves no rest goes there as well',
    { multipleCaptures: false },
    { capturesAtOnce: true, autoCaptureAmountMinor: 1_000 },
    ['restricted', 'any'],
  ],
  [
    'of a co-badged card goes where its second scheme is taken',
    { schemes: ['carte bancaire'] },
    {},
    ['restricted', 'any'],
  ],
  ['of a card that one account does not take goes past it', { schemes: ['mastercard'] }, {}, ['any']],
  [
    'that may be raised goes first where it can be',
    { incrementalAuthorization: false },
    { incremental: true },
    ['any', 'restricted'],
  ],
])('a payment %s', (_, capabilities, command, usable) => {
  const accounts = [account('restricted', capabilities), account('any')]
  const found = findRoutable(accounts, { ...ASKED, command: { ...COMMAND, ...command } }, null, () => ALL_CAPABILITIES)
  expect(found.usable.map(({ configuration }) => configuration.id)).toEqual(usable)
})
