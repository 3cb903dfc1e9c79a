import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import { startAdyenStandIn } from '../../../stand-ins/adyen/adyen.ts'
import { describeGateway } from '../contract.ts'
import { startReceiver } from '../receiver.ts'
import { ACCESS } from './fixture.ts'
import { makeAdyenHarness } from './harness.ts'
import { informed } from './informed.ts'

describeGateway('Adyen', async () => {
  const standIn = await startAdyenStandIn()
  const receiver = await startReceiver(createAdyen(), ACCESS)
  const { harness } = await makeAdyenHarness({
    target: standIn.url,
    access: ACCESS,
    inform: (gateway) => informed(gateway, standIn, receiver),
    booksOf: () => ({
      countAuthorizations: async (invoiceId) => standIn.books.authorizations(invoiceId).length,
      capturedMinor: async (invoiceId) =>
        standIn.books.authorizations(invoiceId).reduce((sum, { captured }) => sum + captured, 0),
      refundedMinor: async (invoiceId) =>
        standIn.books.authorizations(invoiceId).reduce((sum, { refunded }) => sum + refunded, 0),
    }),
    async close() {
      await standIn.close()
      await receiver.close()
    },
  })
  return harness
})
