import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import { describeRecordings } from '../recorded.ts'
import { makeRequests, patience } from './fixture.ts'

const PAYMENT = '993617894903480A'

const { authorization, followUp } = makeRequests('adyen-recorded')
const at = (baseUrl: string) => createAdyen({ baseUrl })
const step = () => followUp(authorization(), PAYMENT, 1_000)

describeRecordings(
  'Adyen',
  new URL('./recorded/', import.meta.url),
  {
    authorize: (address) => at(address).authorize(authorization(), patience()),
    capture: (address) => at(address).capture({ ...step(), isFinal: true }, patience()),
    increment: (address) => at(address).increment({ ...step(), targetTotalMinor: 3_900 }, patience()),
    refund: (address) => at(address).refund(step(), patience()),
    void: (address) => at(address).void(step(), patience()),
  },
  /^\/v\d+/,
)
