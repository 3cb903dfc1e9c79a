import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const events: Translated<English['events']> = {
  transaction: {
    requested: 'Eine Zahlung wurde angefordert; eine Transaktion besteht.',
    pending: 'Das Ergebnis der Autorisierung ist noch nicht bekannt.',
    authorized: 'Die kartenausgebende Bank hat das Geld reserviert.',
    authorization: {
      incremented: 'Der autorisierte Betrag wurde erhöht.',
      expiring: 'Eine nicht eingezogene Autorisierung läuft in einem Tag ab.',
    },
    captured: 'Ein Einzug wurde bestätigt, ganz oder zum Teil.',
    failed: 'Der Versuch ist fehlgeschlagen; eine andere Karte kann versucht werden.',
    voided: 'Die Autorisierung wurde aufgehoben, vom Händler oder durch Ablauf.',
    refunded: 'Geld wurde erstattet, ganz oder zum Teil.',
    operation: {
      capture: {
        pending: 'Ein Einzug wurde gesendet und ist noch nicht bestätigt.',
        failed: 'Ein Einzug ist fehlgeschlagen; die Autorisierung besteht weiter.',
      },
      void: {
        pending: 'Eine Aufhebung wurde gesendet und ist noch nicht bestätigt.',
        failed: 'Eine Aufhebung ist fehlgeschlagen; die Autorisierung besteht weiter.',
      },
      refund: {
        pending: 'Eine Erstattung wurde gesendet und ist noch nicht bestätigt.',
        failed: 'Eine Erstattung ist fehlgeschlagen, sofort oder nachträglich.',
      },
    },
    chargeback: {
      'retrieval-request': 'Die kartenausgebende Bank fordert Belege zur Zahlung an.',
      'fraud-notification': 'Der Karteninhaber hat seiner Bank Betrug gemeldet.',
      'inquiry-closed': 'Die kartenausgebende Bank fragt nicht mehr; es wurde kein Geld genommen.',
      answered: 'Belege wurden beim Gateway eingereicht; die kartenausgebende Bank entscheidet.',
      created: 'Die kartenausgebende Bank holt das Geld zurück.',
      won: 'Die Rückbelastung wurde abgewehrt; das Geld bleibt.',
      lost: 'Die Rückbelastung ging verloren; das Geld ist weg.',
    },
  },
  invoice: {
    completed: 'Die Rechnung ist bezahlt.',
    pending: 'Die Zahlung der Rechnung braucht Zeit.',
    expired: 'Die Rechnung wurde nicht rechtzeitig bezahlt.',
  },
  customer: {
    created: 'Ein Kunde wurde angelegt.',
    updated: 'Ein Kunde wurde geändert.',
    deleted: 'Ein Kunde wurde gelöscht.',
    token: {
      created: 'Ein Zahlungsmittel wurde für einen Kunden gespeichert.',
      updated: 'Ein gespeichertes Zahlungsmittel wurde geändert, oder seine Prüfung endete.',
      deleted: 'Ein gespeichertes Zahlungsmittel wurde gelöscht.',
    },
  },
  card: {
    updated: 'Eine Karte wurde geändert.',
    expires_soon: 'Die Karte eines gespeicherten Zahlungsmittels läuft diesen oder nächsten Monat ab.',
  },
  reconciliation: {
    'differences-found': 'Unsere Bücher und die eines Gateways stimmen nicht überein.',
  },
  'webhook-endpoint': {
    test: 'Ein Test eines Webhook-Endpunkts.',
    disabled: 'Ein Webhook-Endpunkt wurde ausgeschaltet, weil er nichts angenommen hat.',
  },
}
