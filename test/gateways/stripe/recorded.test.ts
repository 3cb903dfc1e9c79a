import { createStripeGateway } from '../../../src/gateways/stripe/adapter.ts'
import { describeRecordings } from '../recorded.ts'
import { authorization, followUp, patience } from './builders.ts'

const INTENT = 'pi_3MrPBM2eZvKYlo2C1TEMacFD'

const at = (address: string) => {
  const { hostname: host, port } = new URL(address)
  return createStripeGateway({ host: { protocol: 'http', host, port: Number(port) } })
}
const step = (overrides: Parameters<typeof followUp>[1] = {}) => followUp(INTENT, overrides)
const back = { return_url: 'https://shop.example/back' }

describeRecordings('Stripe', new URL('./recorded/', import.meta.url), {
  authorize: (address) => at(address).authorize(authorization(), patience()),
  'authorize-with-return-url': (address) => at(address).authorize(authorization({ settings: back }), patience()),
  capture: (address) => at(address).capture({ ...step(), isFinal: true }, patience()),
  increment: (address) => at(address).increment({ ...step(), targetTotalMinor: 3_900 }, patience()),
  refund: (address) => at(address).refund(step(), patience()),
  void: (address) => at(address).void(step({ amountMinor: 2_900 }), patience()),
})
