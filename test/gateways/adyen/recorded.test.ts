import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import { writeContinuation } from '../../../src/gateways/adyen/continuation.ts'
import type { Gateway } from '../../../src/gateways/gateway.ts'
import { CUSTOMER_PRESENT, goOn } from '../contract-authentication.ts'
import { describeRecordings } from '../recorded.ts'
import { BROWSER } from './authentication-fixture.ts'
import { makeRequests, patience } from './fixture.ts'

const PAYMENT = '993617894903480A'

const { authorization, followUp } = makeRequests('adyen-recorded')
const at = (baseUrl: string) => createAdyen({ baseUrl })
const step = () => followUp(authorization(), PAYMENT, 1_000)

const present = (reference: string) =>
  authorization({ reference, authentication: { ...CUSTOMER_PRESENT, browser: BROWSER } })

/** The customer is back from a page of Adyen. */
const back = (gateway: Gateway) => {
  const nothing = { paymentData: null, authorisationToken: null, threeDSServerTransID: null }
  const continuation = writeContinuation({
    ...{ step: 'redirect', reference: 'tr_op_recorded', ...nothing },
    ...{ acsTransID: null, messageVersion: null, threeDSCompInd: null },
  })
  const parameters = { redirectResult: 'eyJ0cmFuc1N0YXR1cyI6IlkifQ==' }
  return goOn(gateway, present('tr_op_recorded'), continuation ?? '', { kind: 'returned', parameters })
}

describeRecordings(
  'Adyen',
  new URL('./recorded/', import.meta.url),
  {
    authorize: (address) => at(address).authorize(authorization(), patience()),
    'authorize-with-customer': (address) => at(address).authorize(present('tr_op_recorded'), patience()),
    continue: (address) => back(at(address)),
    capture: (address) => at(address).capture({ ...step(), isFinal: true }, patience()),
    increment: (address) => at(address).increment({ ...step(), targetTotalMinor: 3_900 }, patience()),
    refund: (address) => at(address).refund(step(), patience()),
    void: (address) => at(address).void(step(), patience()),
  },
  /^\/v\d+/,
)
