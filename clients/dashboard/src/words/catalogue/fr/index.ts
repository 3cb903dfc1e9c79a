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
import type { Translated } from '../translated.ts'
import { books } from './books.ts'
import { common } from './common.ts'
import { customers } from './customers.ts'
import { disputes } from './disputes.ts'
import { gateways } from './gateways.ts'
import { overview } from './overview.ts'
import { payment } from './payment.ts'
import { payments } from './payments.ts'
import { routing } from './routing.ts'
import { shell } from './shell.ts'
import { status } from './status.ts'

const french: Translated<English> = {
  books,
  common,
  customers,
  disputes,
  gateways,
  overview,
  payment,
  payments,
  routing,
  shell,
  status,
}

export default french
