import { z } from 'zod'
import { BOOKED_TYPES, DIFFERENCE_KINDS } from '../../domain/books.ts'
import { formatAmount } from '../../domain/money.ts'
import type { EventName } from '../../domain/webhook-event.ts'
import type { ReconciliationRow } from '../persistence/entities/reconciliation.ts'
import { RECONCILIATION_SOURCES, RECONCILIATION_STATUSES } from '../persistence/entities/reconciliation.ts'
import type { ReconciliationDifferenceRow } from '../persistence/entities/reconciliation-difference.ts'
import { DIFFERENCE_STATUSES } from '../persistence/entities/reconciliation-difference.ts'
import { shownColumns } from './columns.ts'
import { object, related, type Shown } from './object.ts'
import { amount, CHANGED, count, currency, id, instant, OWNER, orNull, text, word } from './shown.ts'
import { presentTimestamp } from './values.ts'

const ACCOUNT = {
  gateway_configuration_id: id('gatewayConfiguration', 'The account at the gateway.'),
  gateway_configuration: related('GatewayConfiguration', 'The account at the gateway.'),
}

export const reconciliation = object(
  'Reconciliation',
  'One comparison of our books with what a gateway has booked at your account.',
  {
    id: id('reconciliation', 'The reconciliation.'),
    ...OWNER,
    ...ACCOUNT,
    source: word(
      RECONCILIATION_SOURCES,
      '`list`: what the gateway has listed of a day; `file`: a file of it that you have handed in.',
    ),
    day: orNull(
      z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}$/)
        .meta({ description: 'The day in UTC that was listed; null for a file.', format: 'date' }),
    ),
    status: word(RECONCILIATION_STATUSES, '`waiting` until it is done; what fails is tried again until then.'),
    tries: count('How often it was begun.'),
    next_try_at: orNull(
      instant('When it is begun again at the latest, unless it is done before; null once it is done.'),
    ),
    failure: orNull(text('Why the last try has failed; null where none has since.')),
    lines_count: count('How many lines the gateway has listed, without fees, payouts and disputes.'),
    differences_count: count('How many differences it has found, those that are resolved included.'),
    judged_until: orNull(
      instant('What one side had before this instant and the other had not by then, has been told as a difference.'),
    ),
    completed_at: orNull(instant('When it was done.')),
    ...CHANGED,
  },
)

const ours = object('OurSide', 'A capture or refund as our books had it.', {
  operation_id: orNull(id('operation', 'The attempt, whose id is our reference towards the gateway.')),
  state: word(['succeeded', 'failed', 'open'], '`open`: pending, or not known.'),
  amount: amount('The amount.'),
  currency: currency('The currency of the amount.'),
})

const gateways = object('GatewaySide', 'A line of the gateway.', {
  line_id: orNull(text('The gateway’s id of the line.')),
  state: word(['booked', 'reversed'], '`reversed`: booked before, and taken back.'),
  amount: amount('The amount.'),
  currency: currency('The currency of the amount.'),
  booked_at: orNull(instant('When the gateway has booked it.')),
})

export const reconciliationDifference = object(
  'ReconciliationDifference',
  'What our books and those of a gateway do not agree about, as both sides stood when it was found.',
  {
    id: id('reconciliationDifference', 'The difference.'),
    ...OWNER,
    reconciliation_id: id('reconciliation', 'The reconciliation that has found it.'),
    reconciliation: related('Reconciliation', 'The reconciliation that has found it.'),
    ...ACCOUNT,
    transaction_id: orNull(id('transaction', 'The payment; null where the line names none of ours.')),
    transaction: related('Transaction', 'The payment.'),
    kind: word(
      DIFFERENCE_KINDS,
      '`missing-at-gateway`: only our books have it; `missing-in-books`: only the gateway has it; `amount`, `currency`: both have it with another one; `state`: it succeeded on one side only; `twice`: the gateway has booked it more than once.',
    ),
    status: word(DIFFERENCE_STATUSES, '`open` until somebody has resolved it, or both sides agree.'),
    type: word(BOOKED_TYPES, 'Whether money was taken or given back.'),
    gateway_reference: orNull(text('The gateway’s id of the capture or refund.')),
    ours: orNull(ours.describe('Our side; null where our books have nothing.')),
    gateways: orNull(gateways.describe('The side of the gateway; null where it has nothing.')),
    resolved_at: orNull(instant('When it was resolved.')),
    resolved_by: orNull(text('`person:…` or `api_key:…`, or `reconciliation:…` where both sides were found to agree.')),
    resolution: orNull(text('Why the difference is settled.')),
    ...CHANGED,
  },
)

/** A comparison of our books with those of a gateway. */
export function presentReconciliation(row: ReconciliationRow): Shown<typeof reconciliation> {
  return {
    ...shownColumns(reconciliation.shape, row),
    gateway_configuration: null,
  }
}

/** What both sides do not agree about. A side that has nothing is null. */
export function presentReconciliationDifference(
  row: ReconciliationDifferenceRow,
): Shown<typeof reconciliationDifference> {
  const { ourCurrency, ourState, ourAmountMinor, gatewayCurrency, gatewayState, gatewayAmountMinor } = row
  return {
    ...shownColumns(reconciliationDifference.shape, row),
    reconciliation: null,
    gateway_configuration: null,
    transaction: null,
    ours:
      ourCurrency == null || ourState == null || ourAmountMinor == null
        ? null
        : {
            operation_id: row.operationId ?? null,
            state: ourState,
            amount: formatAmount(ourAmountMinor, ourCurrency),
            currency: ourCurrency,
          },
    gateways:
      gatewayCurrency == null || gatewayState == null || gatewayAmountMinor == null
        ? null
        : {
            line_id: row.lineId ?? null,
            state: gatewayState,
            amount: formatAmount(gatewayAmountMinor, gatewayCurrency),
            currency: gatewayCurrency,
            booked_at: presentTimestamp(row.gatewayBookedAt),
          },
  }
}

/** The data of an event about a reconciliation. */
export function presentReconciliationEventData(name: EventName, row: ReconciliationRow) {
  return { name, sandbox: row.sandbox, reconciliation: presentReconciliation(row) }
}
