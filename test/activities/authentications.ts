import { beforeEach } from '@jest/globals'
import type { PayCommand } from '../../domain/command.ts'
import type { CustomerAnswer, RequestedAction } from '../../domain/customer-action.ts'
import type { Outcome } from '../../domain/operation.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import { keepReturned } from '../../src/persistence/queries/payments/customer-actions.ts'
import { forFile } from '../support/for-file.ts'
import { makePayments } from './payments.ts'
import type { Answer } from './scripted-gateway.ts'

const CHALLENGE: RequestedAction = {
  type: 'redirect',
  page: { url: 'https://bank.example/acs', fields: { creq: 'abc' } },
  continuation: 'auth_1',
}
export const ACTION_REQUIRED: Outcome = { kind: 'action-required', action: CHALLENGE }
export const APPROVED = { kind: 'approved', gatewayOperationId: 'gw_1', amountMinor: 2900, currency: 'EUR' } as const
export const DECLINED: Outcome = { kind: 'declined', code: 'card.do-not-honor', gatewayCode: '05' }

/** This once, and then an approval. */
export function once(outcome: Outcome): Answer {
  const outcomes = [outcome]
  return () => outcomes.shift() ?? APPROVED
}

interface AuthenticationsOptions {
  /** The gateway goes on by itself once the customer has authenticated, as Stripe does. */
  isByItself?: boolean
}

/** Payments at a gateway whose issuer asks the customer to authenticate, and approves once that is done. */
async function makeAuthentications({ isByItself = false }: AuthenticationsOptions) {
  const payments = await makePayments({
    adapter: ({ authorizesInContinuation: _, ...simulator }) => ({
      ...simulator,
      ...(!isByItself && { authorizesInContinuation: true as const }),
      endAuthentication: async () => ({ kind: 'found', outcome: DECLINED }),
    }),
  })
  const { gateway, build } = payments
  const asked = () => gateway.asked.filter(({ call, request }) => call !== 'lookUp' || request.type === 'authorization')
  const actionOf = async (invoiceId: string) => {
    const { customerAction } = await payments.transactionOf(invoiceId)
    if (customerAction == null) throw new Error('There is no action.')
    return customerAction
  }
  return {
    ...payments,
    actionOf,
    /** The calls about authorizations. */
    calls: () => asked().map(({ call }) => call),
    requests: () => asked().map(({ request }) => request),
    checksOf: async (invoiceId: string) =>
      (await payments.operationsOf(invoiceId)).filter(({ type }) => type === 'three_d_s_check'),
    /** A payment that waits for its customer. */
    async begin(values: Partial<PayCommand> = {}, invoice: Partial<InvoiceRow> = {}) {
      return payments.authorize({ handlesActions: true, ...values }, invoice)
    },
    /** The command that goes on, once the customer has acted and the browser is back. */
    async continuing(invoiceId: string, answer: CustomerAnswer['kind'] = 'returned') {
      const { id: actionId, attemptId } = await actionOf(invoiceId)
      if (answer === 'returned') await keepReturned(payments.deps.orm, { invoiceId, attemptId }, {})
      return build.authorize('', { source: null, handlesActions: true, continues: { actionId, answer } })
    },
    /** The customer tries another card. */
    payWithOther: async (invoiceId: string) =>
      payments.step(invoiceId, build.authorize(await payments.makeCard('5555555555554444'), { handlesActions: true })),
    reset() {
      gateway.reset()
      gateway.answers({
        authorize: ACTION_REQUIRED,
        continueAuthorization: APPROVED,
        lookUp: (ask, { type }) => (type === 'authorization' ? { kind: 'found', outcome: ACTION_REQUIRED } : ask()),
      })
    },
  }
}

export function authenticationsForFile(options: AuthenticationsOptions = {}) {
  const payments = forFile(
    () => makeAuthentications(options),
    ({ database }) => database.drop(),
  )
  beforeEach(() => payments.reset())
  return payments
}
