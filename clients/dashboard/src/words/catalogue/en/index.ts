/**
 * The English texts, a file for each page; `de` and `fr` have the same files with the same keys.
 *
 * Terms, the same in every text:
 *
 * | term | is |
 * |---|---|
 * | authorize, authorization | reserve money on a card |
 * | capture | take the reserved money |
 * | void | release reserved money |
 * | refund | give back what was captured |
 * | payment | what a customer pays, with all of its attempts; `invoice` in the interface |
 * | decline | the issuer's or the gateway's refusal of a card |
 * | dispute, chargeback | the issuer takes the money back for the cardholder |
 * | gateway | who carries out payments for the merchant |
 * | routing rules | which gateway a payment goes to |
 * | customer | who pays; never the merchant |
 * | cardholder, issuer | who has the card, and whose bank it is |
 * | API key, webhook, endpoint, request | as developers say |
 * | owner, developer, support | the roles |
 */

import { account } from './account.ts'
import { apiKeys } from './api-keys.ts'
import { books } from './books.ts'
import { codes } from './codes.ts'
import { common } from './common.ts'
import { customers } from './customers.ts'
import { disputes } from './disputes.ts'
import { events } from './events.ts'
import { gateways } from './gateways.ts'
import { limits } from './limits.ts'
import { overview } from './overview.ts'
import { payment } from './payment.ts'
import { payments } from './payments.ts'
import { people } from './people.ts'
import { requests } from './requests.ts'
import { routing } from './routing.ts'
import { shell } from './shell.ts'
import { status } from './status.ts'
import { timeline } from './timeline.ts'
import { webhooks } from './webhooks.ts'

const english = {
  account,
  apiKeys,
  books,
  codes,
  common,
  customers,
  disputes,
  events,
  gateways,
  limits,
  overview,
  payment,
  payments,
  people,
  requests,
  routing,
  shell,
  status,
  timeline,
  webhooks,
} as const

export type English = typeof english
export default english
