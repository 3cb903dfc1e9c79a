import type { CommandAnswer } from '../../domain/command.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { Answer } from '../support/http-client.ts'
import type { Interface } from './interface.ts'
import { rowWriter } from './row-writer.ts'

export const SOURCE = { source: `card_${'a'.repeat(32)}` }
export const AUTHORIZED = { status: 'authorized', authorizedMinor: 2900 } as const
export const COMPLETED = { status: 'completed', authorizedMinor: 2900, capturedMinor: 2900 } as const

/** One invoice over 29.00 EUR after another, whose rows a test changes as payments would. */
export interface StubbedPayment {
  /** The invoice that everything here is about. */
  invoiceId: string
  /** Makes the next invoice; until a test says otherwise no command is expected on it. */
  begin(fields?: object): Promise<void>
  post(verb: string, body?: object): Promise<Answer>
  /** Does to the transaction what a payment would do; the first time there is none yet. */
  record(values: Partial<TransactionRow>): Promise<TransactionRow>
  /** Writes an operation of the payment: the attempt of this id, or a result. */
  operate(id: string, values?: Partial<OperationRow>): Promise<void>
  /** The payment answers this from now on, once the rows say so. */
  answerWith(answer: CommandAnswer | { kind: 'no-answer' }, values?: Partial<TransactionRow>): void
}

/** @param api may be one that is not started yet. */
export function createStubbedPayment(api: Interface): StubbedPayment {
  const rows = () => rowWriter(api, api.merchant)
  const em = () => api.database.orm.em.fork()
  const untouched = {
    status: 'waiting',
    authorizedMinor: 0,
    authorizationExpiresAt: new Date('2026-11-28T09:00:00.000Z'),
  } as const

  const payment: StubbedPayment = {
    invoiceId: '',
    async begin(fields = {}) {
      const invoice = { name: 'Order 1', amount: '29.00', currency: 'EUR', order_id: 'A-1', ...fields }
      const { body } = await api.merchant.client.post('/invoices', invoice)
      payment.invoiceId = body.invoice.id
      api.payments.sent.length = 0
      api.payments.answerWith(() => {
        throw new Error('No command was expected.')
      })
    },
    post: (verb, body = {}) => api.merchant.client.post(`/invoices/${payment.invoiceId}/${verb}`, body),
    async record(values) {
      const { invoiceId } = payment
      if ((await em().nativeUpdate(TransactionEntity, { invoiceId }, values)) === 0) {
        await (await rows()).transaction(invoiceId.replace('iv_', 'tr_'), invoiceId, { ...untouched, ...values })
      }
      return em().findOneOrFail(TransactionEntity, { invoiceId })
    },
    async operate(id, values = {}) {
      const { id: transactionId } = await em().findOneOrFail(TransactionEntity, { invoiceId: payment.invoiceId })
      await (await rows()).operation(id, transactionId, values)
    },
    answerWith(answer, values) {
      api.payments.answerWith(async () => {
        if (values !== undefined) await payment.record(values)
        return answer
      })
    },
  }
  return payment
}
