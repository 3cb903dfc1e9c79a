import { ALL_CAPABILITIES, type Capabilities } from '../../../domain/capabilities.ts'
import { type InstalledGateway, YES_OR_NO } from '../account.ts'
import { NOTIFICATION_EVENTS } from './notification-events.ts'

/**
 * An account that may capture in several parts keeps the rest of an authorization after each of them, and a cancel knows no
 * amount: one capture, which releases the rest, is what every account has.
 */
export const ADYEN_CAPABILITIES: Capabilities = { ...ALL_CAPABILITIES, multipleCaptures: false, partialVoid: false }

/** A merchant account at Adyen as a gateway configuration describes it. */
export interface AdyenAccount {
  merchantAccount: string
  environment: 'TEST' | 'LIVE'
  /** The prefix of the company's own live host names; null on the test hosts, which are shared. */
  liveEndpointUrlPrefix: string | null
  apiKey: string
  /** Where Adyen sends the customer back to; Adyen wants one on every payment, also where nothing redirects. */
  returnUrl: string
  /** What a payment without the customer counts as. */
  recurringProcessingModel: RecurringProcessingModel
  /** The account may send card numbers in the clear, or only the test host's marked ones. */
  cardData: 'raw' | 'test-encrypted'
  /** The issuer may approve a part of the amount. */
  allowsPartialApproval: boolean
}

const RECURRING_PROCESSING_MODELS = ['Subscription', 'CardOnFile', 'UnscheduledCardOnFile'] as const
type RecurringProcessingModel = (typeof RECURRING_PROCESSING_MODELS)[number]

/** Written into a host name, so it may hold nothing that ends one. */
const URL_PREFIX = /^[0-9a-z]+(-[0-9a-zA-Z]+)*$/i

type Values = Readonly<Record<string, string>>

/** Reads an account; the name of the first value that is missing or unusable where there is one. */
export function readAccount(credentials: Values, settings: Values): AdyenAccount | { problem: string } {
  const { apiKey } = credentials
  const { merchantAccount, returnUrl, liveEndpointUrlPrefix = null } = settings
  if (apiKey === undefined || apiKey === '') return { problem: 'apiKey' }
  if (merchantAccount === undefined || merchantAccount === '') return { problem: 'merchantAccount' }
  if (returnUrl === undefined || !URL.canParse(returnUrl)) return { problem: 'returnUrl' }
  const environment = ENVIRONMENTS[settings.environment ?? '']
  if (environment === undefined) return { problem: 'environment' }
  if (environment === 'LIVE' && !URL_PREFIX.test(liveEndpointUrlPrefix ?? ''))
    return { problem: 'liveEndpointUrlPrefix' }
  const wanted = settings.recurringProcessingModel ?? 'UnscheduledCardOnFile'
  const recurringProcessingModel = RECURRING_PROCESSING_MODELS.find((model) => model === wanted)
  if (recurringProcessingModel === undefined) return { problem: 'recurringProcessingModel' }
  const cardData = settings.cardData ?? 'raw'
  if (cardData !== 'raw' && (cardData !== 'test-encrypted' || environment === 'LIVE')) return { problem: 'cardData' }
  return {
    merchantAccount,
    environment,
    liveEndpointUrlPrefix: environment === 'LIVE' ? liveEndpointUrlPrefix : null,
    apiKey,
    returnUrl,
    recurringProcessingModel,
    cardData,
    allowsPartialApproval: settings.allowPartialApproval === 'true',
  }
}

const ENVIRONMENTS: Readonly<Record<string, AdyenAccount['environment']>> = { test: 'TEST', live: 'LIVE' }

/** 32 bytes as hexadecimal digits, as the Customer Area makes them. A key that is cut short would be easy to guess. */
export const HMAC_KEY = /^[0-9a-f]{64}$/i

const HMAC_FORM = {
  pattern: HMAC_KEY,
  says: {
    en: 'must be 64 hexadecimal digits',
    de: 'muss aus 64 hexadezimalen Ziffern bestehen',
    fr: 'doit avoir 64 chiffres hexadécimaux',
  },
}

/** A merchant account at Adyen for whoever sets one up. */
export const ADYEN: InstalledGateway = {
  name: 'adyen',
  displayName: 'Adyen',
  capabilities: ADYEN_CAPABILITIES,
  credentials: {
    apiKey: {
      label: { en: 'API key', de: 'API-Schlüssel', fr: 'Clé API' },
      says: {
        en: 'In the Customer Area under Developers, API credentials: of a credential with the role for Checkout.',
        de: 'In der Customer Area unter Developers, API credentials: von einem Zugang mit der Rolle für Checkout.',
        fr: 'Dans la Customer Area, sous Developers, API credentials : d’un accès avec le rôle pour Checkout.',
      },
      isRequired: true,
    },
    hmacKey: {
      label: { en: 'HMAC key of the webhook', de: 'HMAC-Schlüssel des Webhooks', fr: 'Clé HMAC du webhook' },
      says: {
        en: 'The Customer Area generates it for the webhook. Adyen reports captures and refunds only by signed webhooks.',
        de: 'Die Customer Area erzeugt ihn für den Webhook. Adyen meldet Einzüge und Erstattungen nur durch signierte Webhooks.',
        fr: 'La Customer Area la génère pour le webhook. Adyen n’annonce les captures et remboursements que par webhooks signés.',
      },
      form: HMAC_FORM,
    },
    previousHmacKey: {
      label: { en: 'HMAC key before', de: 'Voriger HMAC-Schlüssel', fr: 'Clé HMAC précédente' },
      says: {
        en: 'While you change the key: Adyen signs with the old one until the new one has reached all its servers.',
        de: 'Während Sie den Schlüssel wechseln: Adyen signiert mit dem alten, bis der neue überall angekommen ist.',
        fr: 'Pendant un changement de clé : Adyen signe avec l’ancienne jusqu’à ce que la nouvelle soit partout.',
      },
      form: HMAC_FORM,
      isRare: true,
    },
  },
  settings: {
    merchantAccount: {
      label: { en: 'Merchant account', de: 'Händlerkonto', fr: 'Compte marchand' },
      says: {
        en: 'Its name as the Customer Area shows it at the top, not that of the company account.',
        de: 'Sein Name, wie ihn die Customer Area oben zeigt; nicht der des Firmenkontos.',
        fr: 'Son nom tel que la Customer Area l’affiche en haut, et non celui du compte société.',
      },
      isRequired: true,
      example: 'ShopECOM',
    },
    environment: {
      label: { en: 'Hosts of Adyen', de: 'Server von Adyen', fr: 'Serveurs d’Adyen' },
      says: {
        en: 'Test: no real money moves. Live: real money moves.',
        de: 'Test: kein echtes Geld. Live: echtes Geld.',
        fr: 'Test : aucun argent réel. Production : de l’argent réel.',
      },
      isRequired: true,
      choices: [
        { value: 'test', label: { en: 'Test', de: 'Test', fr: 'Test' }, environment: 'sandbox' },
        { value: 'live', label: { en: 'Live', de: 'Live', fr: 'Production' }, environment: 'live' },
      ],
    },
    liveEndpointUrlPrefix: {
      label: { en: 'Live endpoint prefix', de: 'Präfix der Live-Endpunkte', fr: 'Préfixe des endpoints de production' },
      says: {
        en: 'In the live Customer Area under Developers, API URLs: the company’s own part of the host names.',
        de: 'In der Live-Customer-Area unter Developers, API URLs: der eigene Teil der Servernamen.',
        fr: 'Dans la Customer Area de production, sous Developers, API URLs : la partie propre à la société.',
      },
      isRequired: 'live',
      example: '1797a841fbb37ca7-AdyenDemo',
      form: {
        pattern: URL_PREFIX,
        says: {
          en: "must be the prefix of the company's own hosts",
          de: 'muss das Präfix der eigenen Server sein',
          fr: 'doit être le préfixe des serveurs de la société',
        },
      },
    },
    returnUrl: {
      label: { en: 'Return address', de: 'Rückkehradresse', fr: 'Adresse de retour' },
      says: {
        en: 'A page of your shop. Adyen wants one on every payment; customers here come back to the service itself.',
        de: 'Eine Seite Ihres Shops. Adyen verlangt sie bei jeder Zahlung; Kunden kehren hier zum Dienst selbst zurück.',
        fr: 'Une page de votre boutique. Adyen en exige une pour chaque paiement ; ici, les clients reviennent au service.',
      },
      isRequired: true,
      example: 'https://shop.example/thanks',
      form: {
        pattern: /^[a-z][a-z0-9+.-]*:\S+$/i,
        says: {
          en: 'must be a whole address, such as https://shop.example/thanks',
          de: 'muss eine vollständige Adresse sein, wie https://shop.example/thanks',
          fr: 'doit être une adresse complète, comme https://shop.example/thanks',
        },
      },
    },
    clientKey: {
      label: { en: 'Client key', de: 'Client-Schlüssel', fr: 'Clé client' },
      says: {
        en: 'For pages of yours that use Adyen’s own script; payments here do without.',
        de: 'Für eigene Seiten, die Adyens Skript verwenden; Zahlungen hier brauchen ihn nicht.',
        fr: 'Pour vos pages qui utilisent le script d’Adyen ; les paiements ici s’en passent.',
      },
      example: 'test_…',
      isRare: true,
    },
    recurringProcessingModel: {
      label: {
        en: 'Payments without the customer are',
        de: 'Zahlungen ohne den Kunden sind',
        fr: 'Les paiements sans le client sont',
      },
      says: {
        en: 'What Adyen tells the schemes of payments that you initiate.',
        de: 'Als was Adyen den Kartennetzen Zahlungen meldet, die Sie auslösen.',
        fr: 'Ce qu’Adyen indique aux réseaux pour les paiements que vous déclenchez.',
      },
      choices: [
        {
          value: 'UnscheduledCardOnFile',
          label: { en: 'Now and then', de: 'Gelegentlich', fr: 'Occasionnels' },
        },
        { value: 'Subscription', label: { en: 'A subscription', de: 'Ein Abonnement', fr: 'Un abonnement' } },
        {
          value: 'CardOnFile',
          label: { en: 'A stored card', de: 'Eine hinterlegte Karte', fr: 'Une carte enregistrée' },
        },
      ],
      isRare: true,
    },
    cardData: {
      label: { en: 'Card numbers', de: 'Kartennummern', fr: 'Numéros de carte' },
      says: {
        en: 'Sent as they are, for which the API credential needs the role API PCI Payments; or, at the test hosts, marked as test cards.',
        de: 'Werden gesendet, wie sie sind, wofür der API-Zugang die Rolle API PCI Payments braucht; oder auf den Testservern als Testkarten.',
        fr: 'Envoyés tels quels, ce qui exige le rôle API PCI Payments ; ou, sur les serveurs de test, marqués comme cartes de test.',
      },
      choices: [
        { value: 'raw', label: { en: 'As they are', de: 'Wie sie sind', fr: 'Tels quels' } },
        {
          value: 'test-encrypted',
          label: { en: 'Marked as test cards', de: 'Als Testkarten', fr: 'Comme cartes de test' },
          environment: 'sandbox',
        },
      ],
      isRare: true,
    },
    allowPartialApproval: {
      label: { en: 'Partial approvals', de: 'Teilgenehmigungen', fr: 'Approbations partielles' },
      says: {
        en: 'Whether the issuer may approve a part of the amount.',
        de: 'Ob die kartenausgebende Bank auch einen Teil des Betrags genehmigen darf.',
        fr: 'Si l’émetteur peut approuver une partie du montant.',
      },
      choices: YES_OR_NO,
      isRare: true,
    },
  },
  accountSettings: ['merchantAccount', 'environment', 'liveEndpointUrlPrefix'],
  callKeys: ['apiKey'],
  publicSettings: ['clientKey'],
  notifications: {
    proof: 'hmacKey',
    steps: [
      {
        en: 'In the Customer Area, open Developers, Webhooks, and create a Standard webhook with this address, in JSON.',
        de: 'In der Customer Area unter Developers, Webhooks einen „Standard webhook“ mit dieser Adresse anlegen, in JSON.',
        fr: 'Dans la Customer Area, ouvrez Developers, Webhooks, et créez un « Standard webhook » avec cette adresse, en JSON.',
      },
      {
        en: 'Choose at least the events below, and generate an HMAC key. Save it here.',
        de: 'Mindestens die untenstehenden Ereignisse wählen und einen HMAC-Schlüssel erzeugen. Ihn hier speichern.',
        fr: 'Choisissez au moins les événements ci-dessous, et générez une clé HMAC. Enregistrez-la ici.',
      },
      {
        en: 'Under Additional data, switch on: raw acquirer responses, merchant advice code, network transaction reference, AVS, CVC, 3D Secure and liability shift.',
        de: 'Unter „Additional data“ einschalten: raw acquirer responses, merchant advice code, network transaction reference, AVS, CVC, 3D Secure und liability shift.',
        fr: 'Sous « Additional data », activez : raw acquirer responses, merchant advice code, network transaction reference, AVS, CVC, 3D Secure et liability shift.',
      },
    ],
    events: NOTIFICATION_EVENTS,
    otherwise: {
      en: 'Without it captures, refunds and voids stay pending: Adyen reports how they ended in no other way.',
      de: 'Ohne sie bleiben Einzüge, Erstattungen und Aufhebungen offen: Adyen meldet ihr Ergebnis auf keinem anderen Weg.',
      fr: 'Sans elles, les captures, remboursements et annulations restent en attente : Adyen n’en annonce l’issue d’aucune autre façon.',
    },
  },
  // A report comes with each payout, of what was captured some days before.
  settlement: { source: 'file', graceMs: 10 * 24 * 60 * 60 * 1000 },
  problems({ credentials, settings }) {
    const account = readAccount(credentials, settings)
    if (!('problem' in account)) return []
    const kind = account.problem === 'apiKey' ? 'credentials' : 'settings'
    return [{ path: `${kind}.${account.problem}`, message: 'cannot be used' }]
  },
}
