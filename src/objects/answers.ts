import { z } from 'zod'
import { CUSTOMER_ACTION_TYPES } from '../../domain/customer-action.ts'
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'
import { shownToClients } from './fields.ts'
import { invoice } from './invoice.ts'
import { object, value } from './object.ts'
import { refund } from './refund.ts'
import { count, flag, id, instant, list, orNull, text, word } from './shown.ts'
import { transaction } from './transaction.ts'

export const errorCode = value(
  'ErrorCode',
  word(
    Object.keys(ERRORS) as ErrorCode[],
    'An error code. `GET /error-codes` tells what each means and what to do about it.',
  ),
)

export const invalidField = object('InvalidField', 'A field of the request that cannot be accepted.', {
  ...shownToClients({
    name: text('The name of the field, with dots where it is nested.'),
    message: text('What is wrong with it.'),
  }),
  line: z.int().min(1).describe('In a text of several lines: the line, from 1.').optional(),
  column: z.int().min(1).describe('In a text of several lines: the column, from 1.').optional(),
})

const ERROR = {
  success: z.literal(false).describe('Always false.'),
  message: text('What went wrong, in a sentence for you.'),
  doc_url: text('The page that explains the code and says what to do.'),
  request_log_url: text('For secret keys: the request in the request log of the dashboard.').optional(),
  invalid_fields: list(invalidField, 'The fields that are wrong, 20 at most.').optional(),
  request_id: text('The `X-Request-Id` of the answer, by which support finds this case.'),
}

/** Nothing was done. */
export const error = object('Error', 'A request that was refused, and has changed nothing.', {
  ...ERROR,
  error_type: errorCode,
})

export const customerAction = object(
  'CustomerAction',
  'A step of 3-D Secure that the customer has to take now.',
  shownToClients({
    type: word(
      CUSTOMER_ACTION_TYPES,
      '`fingerprint`: load `value` in a hidden frame; `redirect`: show it in a frame; `url`: in a frame or as a full page; the mobile ones are for the library of an app.',
    ),
    value: text('An address, or for the mobile types base64 of JSON.'),
    metadata: orNull(
      z
        .strictObject({ no_iframe: z.literal('true').describe('The page cannot be shown in a frame.') })
        .describe('How to show it; null where there is nothing to say.'),
    ),
  }),
)

export const customer_action = customerAction.optional()
const captured = flag('Whether money is captured now.')

/** The payment has failed, or waits for its customer on a page. */
export const failedPayment = object('FailedPayment', 'A payment that was declined, or waits for its customer.', {
  ...ERROR,
  error_type: text('Why: one of the error codes, or a word of the gateway, which is a decline like any other.'),
  outcome: word(
    ['failed', 'pending'],
    '`pending` only where the customer has to authenticate on the page in `customer_action`.',
  ),
  authorized: flag('Whether money is reserved now.'),
  captured,
  customer_action,
  refund: refund.describe('Of a refund only: the refund, which has failed.').optional(),
  transaction: transaction.describe('The payment as it is now, with the scheme’s advice about another try.').optional(),
})

const SUCCEEDED = {
  success: z.literal(true).describe('Always true.'),
  outcome: word(
    ['success', 'pending'],
    '`pending`: the customer has to act, or the gateway has not decided. The transaction and its events tell the outcome.',
  ),
  message: text('With `pending`: what it waits for.').optional(),
  customer_action,
  customer_token_id: orNull(
    id('token', 'The stored payment source that was charged, or that the card has just become.'),
  ),
}
/** Not on the record yet where a step has only just begun when its answer is due. */
const ofPayment = transaction
  .describe('The payment as it is now; missing where the step has just begun and nothing of it is on the record yet.')
  .optional()

export const paymentAnswer = object('PaymentAnswer', 'A step of a payment that is done, or under way.', {
  ...SUCCEEDED,
  transaction: ofPayment,
})

export const refundAnswer = object('RefundAnswer', 'A refund that is done, or under way.', {
  ...SUCCEEDED,
  refund: refund.describe('The refund; missing where it has just begun and is not on the record yet.').optional(),
  transaction: ofPayment,
})

export const synchronization = object('Synchronization', 'What the gateway tells of a payment now.', {
  ...SUCCEEDED,
  transaction: transaction.describe('The payment as it is now; missing where nobody has tried to pay.').optional(),
  invoice: invoice.describe('The invoice as it is now.'),
})

export const clockAdvance = object('ClockAdvance', 'A payment whose clock was advanced.', {
  success: z.literal(true).describe('Always true.'),
  outcome: word(
    ['success', 'pending'],
    '`success` where all that was due has happened; `pending` where it took too long.',
  ),
  message: z.string().describe('What to do where the outcome is `pending`; missing elsewhere.').optional(),
  transaction: transaction.describe('The payment as it is then.'),
  clock: object('Clock', 'The clock of the payment.', {
    now: instant('The time that it is for the payment.'),
    target: instant('The instant that the clock was to be advanced to.'),
  }),
})

/** What every list answers beside its objects. */
export const PAGE = {
  success: z.literal(true).describe('Always true.'),
  has_more: flag('Whether more objects follow in the direction of reading.'),
  count: count('How many objects are on this page.'),
  total_count: count('How many objects are in the list as it is filtered, up to 10,000.'),
  total_count_capped: flag('Whether there are more than `total_count` says.'),
  limit: count('How many objects a page has at most.'),
  order: word(['asc', 'desc'], 'Whether the oldest or the newest object comes first.'),
}
