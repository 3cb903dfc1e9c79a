import { ALL_CAPABILITIES, type Capabilities } from '../../../domain/capabilities.ts'
import type { Environment } from '../../../domain/environment.ts'
import type { AccountProblem, InstalledGateway } from '../account.ts'
import { NOTIFICATION_EVENTS } from './notification-events.ts'

/** Stripe releases an authorization as a whole, or what captures have left of it. */
export const STRIPE_CAPABILITIES: Capabilities = { ...ALL_CAPABILITIES, partialVoid: false }

/** The mode is part of every key. Source: Stripe's page "API keys". */
const MODE_OF: Readonly<Record<Environment, 'test' | 'live'>> = { sandbox: 'test', live: 'live' }

/** A merchant's account at Stripe as a gateway configuration describes it. */
export const STRIPE: InstalledGateway = {
  name: 'stripe',
  displayName: 'Stripe',
  capabilities: STRIPE_CAPABILITIES,
  credentials: {
    secret_key: {
      label: { en: 'Secret key', de: 'Geheimer Schlüssel', fr: 'Clé secrète' },
      says: {
        en: 'In Stripe under Developers, API keys. A restricted key (rk_…) needs the right to write PaymentIntents, payment methods and refunds.',
        de: 'In Stripe unter Entwickler, API-Schlüssel. Ein eingeschränkter Schlüssel (rk_…) muss PaymentIntents, Zahlungsmethoden und Erstattungen schreiben dürfen.',
        fr: 'Dans Stripe, sous Développeurs, Clés API. Une clé limitée (rk_…) doit pouvoir écrire les PaymentIntents, les moyens de paiement et les remboursements.',
      },
      isRequired: true,
      example: 'sk_…',
      form: {
        pattern: /^[rs]k_(test|live)_\w+$/,
        says: {
          en: 'is no secret key of Stripe: one begins with sk_ or rk_',
          de: 'ist kein geheimer Schlüssel von Stripe: ein solcher beginnt mit sk_ oder rk_',
          fr: "n'est pas une clé secrète de Stripe : elle commence par sk_ ou rk_",
        },
      },
    },
    webhook_secret: {
      label: {
        en: 'Signing secret of the webhook',
        de: 'Signatur-Secret des Webhooks',
        fr: 'Secret de signature du webhook',
      },
      says: {
        en: 'Stripe shows it with the webhook endpoint. Add the account first: its page here has the address for that.',
        de: 'Stripe zeigt es beim Webhook-Endpunkt. Legen Sie erst das Konto an: Seine Seite hier nennt die Adresse.',
        fr: "Stripe l'affiche avec l'endpoint de webhook. Ajoutez d'abord le compte : sa page ici en donne l'adresse.",
      },
      example: 'whsec_…',
      form: {
        pattern: /^whsec_\w+$/,
        says: { en: 'must begin with whsec_', de: 'muss mit whsec_ beginnen', fr: 'doit commencer par whsec_' },
      },
    },
  },
  settings: {
    publishable_key: {
      label: { en: 'Publishable key', de: 'Veröffentlichbarer Schlüssel', fr: 'Clé publiable' },
      says: {
        en: 'For pages of yours that use Stripe’s own script; payments here do without.',
        de: 'Für eigene Seiten, die Stripes Skript verwenden; Zahlungen hier brauchen ihn nicht.',
        fr: 'Pour vos pages qui utilisent le script de Stripe ; les paiements ici s’en passent.',
      },
      example: 'pk_…',
      form: {
        pattern: /^pk_(test|live)_\w+$/,
        says: {
          en: 'is no publishable key of Stripe: one begins with pk_',
          de: 'ist kein veröffentlichbarer Schlüssel von Stripe: ein solcher beginnt mit pk_',
          fr: "n'est pas une clé publiable de Stripe : elle commence par pk_",
        },
      },
    },
    account: {
      label: { en: 'Connected account', de: 'Verbundenes Konto', fr: 'Compte connecté' },
      says: {
        en: 'Only for platforms: payments are made for this account in place of the key’s own.',
        de: 'Nur für Plattformen: Zahlungen laufen für dieses Konto statt für das des Schlüssels.',
        fr: 'Pour les plateformes uniquement : les paiements se font pour ce compte au lieu de celui de la clé.',
      },
      example: 'acct_…',
      form: {
        pattern: /^acct_\w+$/,
        says: { en: 'must begin with acct_', de: 'muss mit acct_ beginnen', fr: 'doit commencer par acct_' },
      },
      isRare: true,
    },
    multicapture: {
      label: { en: 'Several captures', de: 'Mehrere Einzüge', fr: 'Captures multiples' },
      says: {
        en: 'Stripe lets some accounts capture an authorization only once. Say so here, and take the ability away as well.',
        de: 'Manche Konten dürfen bei Stripe eine Autorisierung nur einmal einziehen. Dann hier angeben und auch die Fähigkeit entziehen.',
        fr: 'Stripe ne permet à certains comptes qu’une capture par autorisation. Indiquez-le ici et retirez aussi la capacité.',
      },
      choices: [{ value: 'never', label: { en: 'Never', de: 'Nie', fr: 'Jamais' } }],
      isRare: true,
    },
    mit_exemption: {
      label: {
        en: 'Scheme id of payments made elsewhere',
        de: 'Netzwerk-ID von anderswo getätigten Zahlungen',
        fr: 'Identifiant réseau des paiements faits ailleurs',
      },
      says: {
        en: 'Only where Stripe has switched it on for the account: it may then name the scheme’s id of an authorization made at another gateway.',
        de: 'Nur wenn Stripe es für das Konto freigeschaltet hat: Dann darf es die Netzwerk-ID einer anderswo erteilten Autorisierung nennen.',
        fr: 'Seulement si Stripe l’a activé pour le compte : il peut alors citer l’identifiant réseau d’une autorisation obtenue ailleurs.',
      },
      choices: [{ value: 'enabled', label: { en: 'Switched on', de: 'Freigeschaltet', fr: 'Activé' } }],
      isRare: true,
    },
  },
  accountSettings: ['account'],
  callKeys: ['secret_key'],
  publicSettings: ['publishable_key'],
  notifications: {
    proof: 'webhook_secret',
    steps: [
      {
        en: 'In Stripe, open Developers, Webhooks, and add an endpoint with this address.',
        de: 'In Stripe unter Entwickler, Webhooks einen Endpunkt mit dieser Adresse anlegen.',
        fr: 'Dans Stripe, ouvrez Développeurs, Webhooks, et ajoutez un endpoint avec cette adresse.',
      },
      {
        en: 'Choose the events below, in the API version 2026-10-28.endive.',
        de: 'Die untenstehenden Ereignisse wählen, in der API-Version 2026-10-28.endive.',
        fr: 'Choisissez les événements ci-dessous, dans la version 2026-10-28.endive de l’API.',
      },
      {
        en: 'Reveal the signing secret of the endpoint and save it here.',
        de: 'Das Signatur-Secret des Endpunkts anzeigen lassen und hier speichern.',
        fr: 'Affichez le secret de signature de l’endpoint et enregistrez-le ici.',
      },
    ],
    events: NOTIFICATION_EVENTS,
    otherwise: {
      en: 'Without it disputes and refunds made in Stripe’s dashboard are not seen here, and lost answers are found later.',
      de: 'Ohne sie sind Reklamationen und in Stripes Dashboard veranlasste Erstattungen hier nicht zu sehen, und verlorene Antworten werden später gefunden.',
      fr: 'Sans elles, les litiges et les remboursements faits dans Stripe n’apparaissent pas ici, et les réponses perdues sont retrouvées plus tard.',
    },
  },
  // What is captured in the last second of a day may be booked on the next one.
  settlement: { source: 'list', graceMs: 24 * 60 * 60 * 1000 },
  problems({ environment, credentials, settings }) {
    return [
      ...keyProblems('credentials.secret_key', credentials.secret_key, environment),
      ...keyProblems('settings.publishable_key', settings.publishable_key, environment),
    ]
  },
}

/** A key of the other mode would move real money in the sandbox, or none in the shop. */
function keyProblems(path: string, key: string | undefined, environment: Environment): AccountProblem[] {
  const mode = key?.split('_')[1]
  if (mode === undefined || mode === MODE_OF[environment]) return []
  return [{ path, message: `is a ${mode}-mode key, and this is the ${environment} environment` }]
}
