import type { DeviceChannel } from '../../domain/authentication.ts'
import { actionOf, endedAction, issueAction, type RequestedAction } from '../../domain/customer-action.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { awaitCustomer } from '../../domain/look-up.ts'
import type { Payment } from '../../domain/payment.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Case, Recorded } from './outcome-report.ts'
import { writeOutcome } from './records/write-payment.ts'

/** Lets the authorization wait for its customer. The caller gets the action with the payment. */
export function askCustomer(deps: PaymentActivityDeps, unit: Unit, about: Case, requested: RequestedAction): Recorded {
  const { opened, transaction, attempt, payment: before, report } = about
  const { invoice } = opened
  const publicUrl = deps.publicUrl()
  if (publicUrl === null) throw new Error('The service has no public address for customer actions.')
  const action = issueAction(requested, {
    id: makeIdentifier('customerAction', deps.randomBytes),
    attemptId: attempt.id,
    invoiceId: invoice.id,
    channel: invoice.deviceChannel as DeviceChannel,
    previous: actionOf(transaction, attempt.id),
    publicUrl,
    at: report.at,
  })
  const payment = awaitCustomer(before, attempt.id, action.expiresAt)
  writeOutcome(deps, unit, transaction, payment, { customerAction: action })
  const rows = { transaction, refund: null }
  const gatewayName = transaction.gatewayName ?? null
  return { answer: { kind: 'pending' }, payment, gatewayName, events: [], rows }
}

/** What the bank has sent along is kept as long as the gateway may need it. */
export function withoutEndedAction(
  transaction: TransactionRow,
  { id }: OperationRow,
  { attemptsInFlight }: Payment,
): Partial<TransactionRow> {
  const action = actionOf(transaction, id)
  const isInFlight = attemptsInFlight.some(({ operationId }) => operationId === id)
  return action === null || isInFlight ? {} : { customerAction: endedAction(action) }
}
