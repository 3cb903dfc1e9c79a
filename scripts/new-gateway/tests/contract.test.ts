import { createPlaceholder } from '../../../scripts/new-gateway/gateway/adapter.ts'
import { startPlaceholderStandIn } from '../../../scripts/new-gateway/stand-in/placeholder.ts'
import { type Arrival, TOLD } from '../../../test/gateways/contract/harness.ts'
import { describeGateway } from '../../../test/gateways/contract.ts'
import { ledgerBooks } from '../../../test/gateways/ledger-books.ts'
import { openLines } from '../../../test/gateways/line.ts'

const cardOf = (number: string) => ({
  card: { number, expMonth: 12, expYear: 2030, name: 'Ada Example', cvc: '737' },
  scheme: 'visa',
})

/** A notification as Placeholder sends it, signed with the key of the account. */
const arrivalOf = (event: object): Arrival => ({
  rawBody: new TextEncoder().encode(JSON.stringify(event)),
  headers: {},
})

describeGateway('Placeholder', async () => {
  const standIn = await startPlaceholderStandIn()
  // What only prepares a step, and moves nothing by itself, is not about money.
  const lines = await openLines(standIn.url, () => true)
  return {
    gateway: createPlaceholder({ baseUrl: await lines.open() }),
    access: standIn.model.account,
    over: async (trouble) => createPlaceholder({ baseUrl: await lines.open(trouble) }),
    remembersRefusedSteps: true,
    repetitionsWait: true,
    // The field that tells how a step ended, by its name at Placeholder.
    inventStatus: (answer) => ({ ...(answer as object), status: 'approved_in_principle' }),
    misstate: (answer) => ({ ...(answer as object), amount: TOLD.amountMinor, currency: TOLD.currency }),
    approvedCard: cardOf('4242424242424242'),
    declinedCard: cardOf('4000000000000002'),
    pendingCard: null,
    actionCard: null,
    notifications: {
      known: () => arrivalOf({ id: '1', type: 'payment.approved', reference: 'tr_op_1' }),
      invented: () => [arrivalOf({ id: '2', type: 'payment.approved_in_principle', reference: 'tr_op_1' })],
    },
    ...ledgerBooks(standIn.ledger),
    async close() {
      await lines.close()
      await standIn.close()
    },
  }
})
