import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import { describeGateway } from '../contract.ts'
import { ACCESS, cardOf } from './fixture.ts'
import { informed } from './informed.ts'
import { startReceiver } from './receiver.ts'
import { type Line, startStandIn } from './stand-in.ts'

describeGateway('Adyen', async () => {
  const standIn = await startStandIn()
  const adapter = createAdyen({ baseUrl: standIn.url })
  const receiver = await startReceiver(adapter)
  const over = (line: Line) => informed(createAdyen({ baseUrl: `${standIn.url}/${line}/` }), standIn, receiver)
  return {
    gateway: informed(adapter, standIn, receiver),
    access: ACCESS,
    remembersRefusedSteps: true,
    looksUp: false,
    seesWhatIsLeft: false,
    repetitionsWait: true,
    losingAnswers: over('losing'),
    inventingAnswers: over('inventing'),
    approvedCard: { card: cardOf('Ada Example'), scheme: 'visa' },
    declinedCard: { card: cardOf('DECLINED'), scheme: 'visa' },
    countAuthorizations: async (invoiceId) => standIn.authorizations(invoiceId).length,
    capturedMinor: async (invoiceId) =>
      standIn.authorizations(invoiceId).reduce((sum, { captured }) => sum + captured, 0),
    refundedMinor: async (invoiceId) =>
      standIn.authorizations(invoiceId).reduce((sum, { refunded }) => sum + refunded, 0),
    async close() {
      await standIn.close()
      await receiver.close()
    },
  }
})
