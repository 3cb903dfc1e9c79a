/**
 * Die deutschen Texte. Angeredet wird mit „Sie“.
 *
 * | English | Deutsch |
 * |---|---|
 * | authorize, authorization | autorisieren, Autorisierung |
 * | capture | einziehen, Einzug |
 * | void | aufheben, Aufhebung; „storniert“ heißt in Buchhaltungen anderes |
 * | refund | erstatten, Erstattung |
 * | payment | Zahlung |
 * | decline | Ablehnung, abgelehnt |
 * | dispute | Reklamation |
 * | chargeback | Rückbelastung |
 * | gateway | Gateway (das), Gateways |
 * | routing rules | Routing-Regeln |
 * | customer, cardholder, issuer | Kunde, Karteninhaber, kartenausgebende Bank |
 * | order, order number | Bestellung, Bestellnummer |
 * | payout, settlement | Auszahlung, Abrechnung |
 * | books, difference | Bücher, Abweichung |
 * | API key, secret key | API-Schlüssel, geheimer Schlüssel |
 * | webhook, endpoint, event | Webhook (der), Endpunkt, Ereignis |
 * | request, request log | Anfrage, Anfragenprotokoll |
 * | rate limit | Anfragelimit |
 * | owner, developer, support | Inhaber, Entwickler, Support |
 * | sandbox, live | Sandbox, Live |
 * | second factor, passkey, recovery code | zweiter Faktor, Passkey, Wiederherstellungscode |
 */

import type { English } from '../en/index.ts'
import type { Failures } from '../failures.ts'
import type { Translated } from '../translated.ts'
import { account } from './account.ts'
import { apiKeys } from './api-keys.ts'
import { books } from './books.ts'
import { codes } from './codes.ts'
import { common } from './common.ts'
import { customers } from './customers.ts'
import { disputes } from './disputes.ts'
import { events } from './events.ts'
import { failures } from './failures.ts'
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

const german: Translated<English> & { failures: Failures } = {
  account,
  apiKeys,
  books,
  codes,
  common,
  customers,
  disputes,
  events,
  failures,
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
}

export default german
