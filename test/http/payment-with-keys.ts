import type { Command, CommandAnswer, IdempotencyClaim } from '../../domain/command.ts'
import { claimKey, keepAnswer } from '../../src/idempotency/record.ts'
import { presentPaymentAnswer } from '../../src/objects/payment-answer.ts'
import { IdempotencyKeyEntity, type IdempotencyKeyRow } from '../../src/persistence/entities/idempotency-key.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { createClientWithKeys, type PostWithKey, type RawAnswer } from './client-with-keys.ts'
import type { Interface } from './interface.ts'
import { createStubbedPayment, type StubbedPayment } from './stubbed-payment.ts'

export const OTHER_BODY = { status: 400, body: { error_type: 'request.idempotency-key.invalid' } }

/** A stubbed payment whose requests carry an `Idempotency-Key`. */
export interface PaymentWithKeys extends Omit<StubbedPayment, 'post'> {
  /** A key that no other request has. */
  newKey(): string
  post(verb: string, key: string | undefined, body?: object): Promise<RawAnswer>
  synchronize(key: string): Promise<RawAnswer>
  keys(): Promise<IdempotencyKeyRow[]>
  /** Does for a key what the attempt of this operation does, and what its outcome does. */
  claim(claim: IdempotencyClaim, operationId: string): Promise<'claimed' | 'taken'>
  complete(claim: IdempotencyClaim, answer: { status: number; body: string }): Promise<void>
  /** Books an outcome as a payment does: attempt and claim, then result and answer. */
  executeCommand(command: Command, answer: CommandAnswer, values: Partial<TransactionRow>): Promise<CommandAnswer>
  /** The payment books this outcome from now on. */
  bookAndAnswer(answer: CommandAnswer, values: Partial<TransactionRow>): void
}

/** @param api may be one that is not started yet. */
export function createPaymentWithKeys(api: Interface): PaymentWithKeys {
  const payment = createStubbedPayment(api)
  const send: PostWithKey = (...request) => createClientWithKeys(api.url, api.merchant)(...request)
  const scope = () => ({ projectId: api.merchant.projectId, sandbox: true })
  const em = () => api.database.orm.em.fork()
  const now = () => api.clock.now()
  let count = 0

  const claim: PaymentWithKeys['claim'] = (wanted, operationId) => claimKey(em(), scope(), wanted, operationId, now())
  const complete: PaymentWithKeys['complete'] = (claimed, answer) => keepAnswer(em(), claimed, answer, now())
  const executeCommand: PaymentWithKeys['executeCommand'] = async (command, answer, values) => {
    const wanted = claimOf(command)
    if ((await claim(wanted, command.operationId)) === 'taken') return { kind: 'duplicate' }
    const transaction = await payment.record(values)
    await payment.operate(command.operationId)
    const { status, body } = presentPaymentAnswer({ answer, transaction, requestId: wanted.requestId })
    await complete(wanted, { status, body: JSON.stringify(body) })
    return answer
  }
  return Object.assign(payment, {
    newKey() {
      count += 1
      return `payment-${count}`
    },
    post: (verb: string, key: string | undefined, body: object = {}) =>
      send(`/invoices/${payment.invoiceId}/${verb}`, key, body),
    synchronize: (key: string) => send(`/invoices/${payment.invoiceId}/sync-with-psp`, key, {}, 'PUT'),
    keys: () => em().find(IdempotencyKeyEntity, {}),
    claim,
    complete,
    executeCommand,
    bookAndAnswer: (answer: CommandAnswer, values: Partial<TransactionRow>) =>
      api.payments.answerWith((command) => executeCommand(command, answer, values)),
  })
}

export function claimOf({ idempotency }: Pick<Command, 'idempotency'>): IdempotencyClaim {
  if (idempotency === null) throw new Error('The command carries no key.')
  return idempotency
}

/** The key of the command that was sent last. */
export function sentClaim({ payments }: Interface): IdempotencyClaim {
  return claimOf(payments.sent.at(-1)?.command ?? { idempotency: null })
}
