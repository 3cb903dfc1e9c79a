/**
 * Les textes français. On vouvoie le lecteur.
 *
 * | English | français |
 * |---|---|
 * | authorize, authorization | autoriser, autorisation |
 * | capture | capturer, capture |
 * | void | annuler, annulation |
 * | refund | rembourser, remboursement |
 * | payment | paiement |
 * | decline | refus, refusé |
 * | dispute | litige |
 * | chargeback | rétrofacturation |
 * | gateway | passerelle |
 * | routing rules | règles de routage |
 * | customer, cardholder, issuer | client, titulaire de la carte, banque émettrice |
 * | order, order number | commande, numéro de commande |
 * | payout, settlement | versement, règlement |
 * | books, difference | comptes, écart |
 * | API key, secret key | clé d’API, clé secrète |
 * | webhook, endpoint, event | webhook, point de terminaison, événement |
 * | request, request log | requête, journal des requêtes |
 * | rate limit | limite de requêtes |
 * | owner, developer, support | propriétaire, développeur, assistance |
 * | sandbox, live | bac à sable, production |
 * | second factor, passkey, recovery code | second facteur, clé d’accès, code de récupération |
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

const french: Translated<English> & { failures: Failures } = {
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

export default french
