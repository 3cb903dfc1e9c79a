import { createStripeGateway } from '../../../src/gateways/stripe/adapter.ts'
import { CUSTOMER_PRESENT } from '../contract-authentication.ts'
import { describeRecordings } from '../recorded.ts'
import { authorization, continuing, followUp, patience } from './builders.ts'

const INTENT = 'pi_3MrPBM2eZvKYlo2C1TEMacFD'

const at = (address: string) => {
  return createStripeGateway({ baseUrl: address })
}
const step = (overrides: Parameters<typeof followUp>[1] = {}) => followUp(INTENT, overrides)

const goOn = async (address: string) => {
  const outcome = await at(address).continueAuthorization?.(continuing(INTENT), patience())
  return outcome ?? { kind: 'unknown' as const, reason: 'the adapter cannot go on' }
}

describeRecordings('Stripe', new URL('./recorded/', import.meta.url), {
  authorize: (address) => at(address).authorize(authorization(), patience()),
  'authorize-with-customer': (address) =>
    at(address).authorize(authorization({ authentication: CUSTOMER_PRESENT }), patience()),
  continue: goOn,
  capture: (address) => at(address).capture({ ...step(), isFinal: true }, patience()),
  increment: (address) => at(address).increment({ ...step(), targetTotalMinor: 3_900 }, patience()),
  refund: (address) => at(address).refund(step(), patience()),
  void: (address) => at(address).void(step({ amountMinor: 2_900 }), patience()),
})
