import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import { describeGateway } from '../contract.ts'
import { ACCESS } from './fixture.ts'
import { makeAdyenHarness } from './harness.ts'
import { informed } from './informed.ts'
import { startReceiver } from './receiver.ts'
import { startStandIn } from './stand-in.ts'

describeGateway('Adyen', async () => {
  const standIn = await startStandIn()
  const receiver = await startReceiver(createAdyen({ baseUrl: standIn.url }))
  const { harness } = await makeAdyenHarness({
    target: standIn.url,
    access: ACCESS,
    inform: (gateway) => informed(gateway, standIn, receiver),
    booksOf: () => ({
      countAuthorizations: async (invoiceId) => standIn.authorizations(invoiceId).length,
      capturedMinor: async (invoiceId) =>
        standIn.authorizations(invoiceId).reduce((sum, { captured }) => sum + captured, 0),
      refundedMinor: async (invoiceId) =>
        standIn.authorizations(invoiceId).reduce((sum, { refunded }) => sum + refunded, 0),
    }),
    async close() {
      await standIn.close()
      await receiver.close()
    },
  })
  return harness
})
