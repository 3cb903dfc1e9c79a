import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const status: Translated<English['status']> = {
  payment: {
    waiting: {
      words: 'Wartet',
      meaning: 'Das Gateway wird gefragt, oder der Kunde authentifiziert sich.',
    },
    pending: {
      words: 'Ausstehend',
      meaning: 'Das Ergebnis der Autorisierung ist noch nicht bekannt.',
    },
    authorized: {
      words: 'Autorisiert',
      meaning: 'Das Geld ist reserviert und noch nicht eingezogen.',
    },
    'pending-capture': {
      words: 'Einzug ausstehend',
      meaning: 'Der Einzug ist noch nicht bestätigt.',
    },
    completed: {
      words: 'Eingezogen',
      meaning: 'Das Geld wurde eingezogen, ganz oder zum Teil.',
    },
    failed: {
      words: 'Fehlgeschlagen',
      meaning: 'Sie wurde abgelehnt; eine andere Karte kann versucht werden.',
    },
    voided: {
      words: 'Aufgehoben',
      meaning: 'Das reservierte Geld wurde freigegeben.',
    },
    'partially-refunded': {
      words: 'Teilweise erstattet',
      meaning: 'Ein Teil wurde erstattet.',
    },
    refunded: {
      words: 'Erstattet',
      meaning: 'Die Zahlung wurde vollständig erstattet.',
    },
    'in-review': {
      words: 'In Prüfung',
      meaning: 'Sie wird geprüft.',
    },
    blocked: {
      words: 'Blockiert',
      meaning: 'Eine Ihrer Routing-Regeln hat sie zurückgewiesen.',
    },
    'retrieval-request': {
      words: 'Belege angefordert',
      meaning: 'Die kartenausgebende Bank fordert Belege an.',
    },
    'fraud-notification': {
      words: 'Betrug gemeldet',
      meaning: 'Der Karteninhaber hat seiner Bank Betrug gemeldet.',
    },
    'chargeback-initiated': {
      words: 'Rückbelastung',
      meaning: 'Die kartenausgebende Bank holt das Geld zurück.',
    },
    solved: {
      words: 'Rückbelastung gewonnen',
      meaning: 'Die Rückbelastung wurde abgewehrt; das Geld bleibt.',
    },
    reversed: {
      words: 'Rückbelastung verloren',
      meaning: 'Die Rückbelastung ging verloren; das Geld ist weg.',
    },
  },
  partlyCaptured: {
    words: 'Teilweise eingezogen',
    meaning: 'Ein Teil des Autorisierten wurde eingezogen.',
  },
  webhook: {
    pending: 'Unterwegs',
    retrying: 'Wird wiederholt',
    delivered: 'Zugestellt',
    failed: 'Aufgegeben',
    tries: '{tries, number} von {most, number} Versuchen gescheitert',
    triesAgain: '{tries, number} von {most, number} Versuchen gescheitert, seit erneut gesendet wurde',
  },
  failure: {
    http_status: 'Die Antwort war kein Erfolg',
    redirect: 'Die Antwort war eine Weiterleitung, der nicht gefolgt wird',
    timeout: 'Keine Antwort innerhalb von 10 Sekunden',
    connection_failed: 'Keine Verbindung',
    tls_failed: 'Dem Zertifikat kann nicht vertraut werden',
    invalid_response: 'Die Antwort war kein HTTP',
    dns_lookup_failed: 'Der Name hat keine Adresse',
    forbidden_target: 'Die Adresse ist nicht öffentlich, daher wurde nichts gesendet',
    https_required: 'Live-Webhooks gehen nur an https, daher wurde nichts gesendet',
    invalid_url: 'Die Adresse ist nicht verwendbar, daher wurde nichts gesendet',
    endpoint_disabled: 'Der Endpunkt ist ausgeschaltet, daher wurde nichts gesendet',
    endpoint_deleted: 'Der Endpunkt wurde gelöscht, daher wird nichts mehr gesendet',
  },
  disabled: {
    merchant: 'Hier ausgeschaltet.',
    gone: 'Von uns ausgeschaltet: Er hat dreimal hintereinander mit „410 Gone“ geantwortet.',
    failing: 'Von uns ausgeschaltet: Er hat fünf Tage lang nichts angenommen.',
  },
  cardType: {
    credit: 'Kredit',
    debit: 'Debit',
    prepaid: 'Prepaid',
  },
  refund: {
    customer_request: 'Vom Kunden gewünscht',
    duplicate: 'Doppelt bezahlt',
    fraud: 'Betrug',
    other: 'Anderer Grund',
  },
  role: {
    owner: {
      words: 'Inhaber',
      meaning: 'Darf alles, auch Personen und Live-API-Schlüssel verwalten.',
    },
    developer: {
      words: 'Entwickler',
      meaning:
        'Nimmt Zahlungen an und erstattet sie, richtet Webhooks, Routing und Gateways ein und erstellt Sandbox-API-Schlüssel.',
    },
    support: {
      words: 'Support',
      meaning: 'Sieht alles und ändert nichts.',
    },
  },
  permission: {
    read: {
      words: 'Lesen',
      meaning: 'Zahlungen, Kunden, Ereignisse und Einstellungen sehen.',
    },
    payments: {
      words: 'Zahlungen',
      meaning: 'Zahlungen anlegen, autorisieren, einziehen und aufheben.',
    },
    refunds: {
      words: 'Erstattungen',
      meaning: 'Zahlungen erstatten.',
    },
    configuration: {
      words: 'Konfiguration',
      meaning: 'Gateways und Routing-Regeln ändern und Abweichungen der Bücher klären.',
    },
    webhooks: {
      words: 'Webhooks',
      meaning: 'Endpunkte ändern und Ereignisse erneut senden.',
    },
  },
}
