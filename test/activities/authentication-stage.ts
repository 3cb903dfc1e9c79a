import type { AuthorizeCommand } from '../../domain/command.ts'
import type { CustomerAnswer, RequestedAction } from '../../domain/customer-action.ts'
import type { LookUp, Outcome } from '../../domain/operation.ts'
import type { AuthorizeRequest, Gateway } from '../../src/gateways/gateway.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { makeDatabase } from '../support/database.ts'
import { makePaymentActor } from '../support/payment-actor.ts'

const CHALLENGE: RequestedAction = {
  type: 'redirect',
  page: { url: 'https://bank.example/acs', fields: { creq: 'abc' } },
  continuation: 'auth_1',
}
export const ASKED: Outcome = { kind: 'action-required', action: CHALLENGE }
export const APPROVED = { kind: 'approved', gatewayOperationId: 'gw_1', amountMinor: 2900, currency: 'EUR' } as const
export const DECLINED: Outcome = { kind: 'declined', code: 'card.do-not-honor', gatewayCode: '05' }
export const UNKNOWN: Outcome = { kind: 'unknown', reason: 'no answer' }

interface Asked {
  name: 'authorize' | 'continue' | 'look up' | 'end'
  answer?: CustomerAnswer
  continuation?: string
  authentication?: AuthorizeRequest['authentication']
}

/** What the gateway says next. Whatever is not said: it asks for a challenge, and approves what goes on. */
interface Script {
  authorize: Outcome
  continued: Outcome[]
  lookUp: LookUp
  /** Null where the gateway gives it up. */
  ended: LookUp | null
}

const silent = (): Script => ({
  authorize: ASKED,
  continued: [],
  lookUp: { kind: 'found', outcome: ASKED },
  ended: null,
})

/** Payments at a gateway whose issuer asks the customer to act, on the layer of the activities. */
export async function makeAuthenticationStage() {
  const database = await makeDatabase()
  let script = silent()
  let asked: Asked[] = []
  const actor = await makePaymentActor(
    database,
    (gateway): Gateway => ({
      ...gateway,
      authorize: async ({ authentication }) => {
        asked.push({ name: 'authorize', authentication })
        return script.authorize
      },
      continueAuthorization: async ({ answer, continuation, authentication }) => {
        asked.push({ name: 'continue', answer, continuation, authentication })
        return script.continued.shift() ?? APPROVED
      },
      lookUp: async (request) => {
        if (request.type !== 'authorization') return gateway.lookUp(request, AbortSignal.timeout(1_000))
        asked.push({ name: 'look up' })
        return script.lookUp
      },
      endAuthentication: async ({ continuation }) => {
        asked.push({ name: 'end', continuation })
        return script.ended ?? { kind: 'found', outcome: DECLINED }
      },
    }),
  )

  const em = () => database.orm.em.fork()
  const rowOf = (invoiceId: string) => em().findOneOrFail(TransactionEntity, { invoiceId })
  const operationsOf = async (invoiceId: string) =>
    em().find(OperationEntity, { transactionId: (await rowOf(invoiceId)).id }, { orderBy: { position: 'asc' } })
  const actionOf = async (invoiceId: string) => {
    const { customerAction } = await rowOf(invoiceId)
    if (customerAction == null) throw new Error('There is no action.')
    return customerAction
  }
  const now = () => actor.deps.clock.now().getTime()

  return {
    ...actor,
    database,
    em,
    rowOf,
    actionOf,
    now,
    eventsOf: async (invoiceId: string) =>
      (await em().find(EventEntity, { invoiceId }, { orderBy: { sequence: 'asc' } })).map(({ name }) => name),
    checksOf: async (invoiceId: string) =>
      (await operationsOf(invoiceId)).filter(({ type }) => type === 'three_d_s_check'),
    asked: () => asked,
    names: () => asked.map(({ name }) => name),
    says(more: Partial<Script>) {
      script = { ...script, ...more }
    },
    reset() {
      script = silent()
      asked = []
    },
    /** A payment that waits for its customer. */
    async begin(values: Partial<AuthorizeCommand> = {}, invoice: Partial<InvoiceRow> = {}) {
      const invoiceId = await actor.makeInvoice(invoice)
      const command = actor.build.authorize(await actor.makeCard(), { handlesActions: true, ...values })
      const result = await actor.step(invoiceId, command)
      return { invoiceId, command, result }
    },
    continuing: async (invoiceId: string, answer: CustomerAnswer['kind'] = 'returned') =>
      actor.build.authorize('', {
        source: null,
        continues: { actionId: (await actionOf(invoiceId)).id, answer },
        handlesActions: true,
      }),
    lookUpAfter: async (invoiceId: string, operationId: string, laterMs: number) =>
      actor.activities.lookUp({ payment: actor.referenceOf(invoiceId), operationId, at: now() + laterMs }),
    /** Staff close an attempt as if it had failed. */
    close: (invoiceId: string, operationId: string) =>
      actor.activities.resolveAttempt({
        payment: actor.referenceOf(invoiceId),
        resolution: { operationId, outcome: 'declined', gatewayOperationId: null, reason: 'a test' },
        at: now(),
      }),
  }
}
