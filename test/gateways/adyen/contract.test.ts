import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import { startAdyenStandIn } from '../../../stand-ins/adyen/adyen.ts'
import { describeGateway } from '../contract.ts'
import { ledgerBooks } from '../ledger-books.ts'
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
    booksOf: () => ledgerBooks(standIn.ledger),
    async close() {
      await standIn.close()
      await receiver.close()
    },
  })
  return harness
})
