import { createSimulator } from '../../src/gateways/simulator/adapter.ts'
import { describeGateway } from './contract.ts'
import { makeSimulator } from './simulator-fixture.ts'

const cardOf = (number: string) => ({
  card: { number, expMonth: 12, expYear: 2030, name: 'Ada Example', cvc: '737' },
  scheme: 'visa',
})

describeGateway('the simulator', async () => {
  const { gateway, execute, readLog, drop } = await makeSimulator('contract')
  return {
    gateway,
    access: { credentials: {}, settings: {} },
    remembersRefusedSteps: true,
    repetitionsWait: true,
    losingAnswers: createSimulator({
      execute: async (sql, parameters) => {
        await execute(sql, parameters)
        throw Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' })
      },
    }),
    inventingAnswers: createSimulator({
      execute: async (sql, parameters) =>
        (await execute(sql, parameters)).map((row) => ({
          ...row,
          outcome: { ...(row.outcome as object), kind: 'approved-in-principle' },
        })),
    }),
    approvedCard: cardOf('4242424242424242'),
    declinedCard: cardOf('4000000000002180'),
    async countAuthorizations(invoiceId) {
      return (await readLog({ invoiceId })).authorizations.length
    },
    async capturedMinor(invoiceId) {
      const { authorizations } = await readLog({ invoiceId })
      return authorizations.reduce((sum, { capturedMinor }) => sum + capturedMinor, 0)
    },
    async refundedMinor(invoiceId) {
      const { authorizations } = await readLog({ invoiceId })
      return authorizations.reduce((sum, { refundedMinor }) => sum + refundedMinor, 0)
    },
    close: drop,
  }
})
