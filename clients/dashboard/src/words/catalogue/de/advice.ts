import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const advice: Translated<English['advice']> = {
  'try-it-through-another-gateway-or-later': 'Versuchen Sie es über ein anderes Gateway oder später.',
  'ask-the-customer-for-another-card-or-wait-until-retry-after-of-the-transaction-has-passed':
    'Bitten Sie den Kunden um eine andere Karte, oder warten Sie, bis retry_after der Transaktion vorbei ist.',
  'try-it-through-another-gateway-or-ask-the-customer-for-another-card':
    'Versuchen Sie es über ein anderes Gateway, oder bitten Sie den Kunden um eine andere Karte.',
  'ask-the-acquirer-to-check-the-merchant-account-and-use-another-gateway-until-then':
    'Lassen Sie den Acquirer das Händlerkonto prüfen, und nutzen Sie bis dahin ein anderes Gateway.',
  'never-try-this-card-again-and-ask-the-customer-for-another-one':
    'Versuchen Sie es mit dieser Karte nie wieder, und bitten Sie den Kunden um eine andere.',
  'check-the-transaction-first-the-request-may-already-have-been-processed':
    'Prüfen Sie zuerst die Transaktion: Die Anfrage ist vielleicht schon verarbeitet.',
  'ask-the-customer-to-call-the-bank-that-issued-the-card-or-to-use-another-card':
    'Bitten Sie den Kunden, die Bank anzurufen, die die Karte ausgegeben hat, oder eine andere Karte zu nehmen.',
  'ask-the-customer-to-correct-it-and-try-again': 'Bitten Sie den Kunden, es zu berichtigen und erneut zu versuchen.',
  'let-the-customer-start-again': 'Lassen Sie den Kunden neu beginnen.',
  'try-again-later-or-ask-the-customer-for-another-card':
    'Versuchen Sie es später erneut, oder bitten Sie den Kunden um eine andere Karte.',
  'let-the-customer-authenticate-with-3-d-secure-and-try-again':
    'Lassen Sie den Kunden sich mit 3-D Secure ausweisen, und versuchen Sie es erneut.',
  'ask-the-customer-for-the-new-expiry-date-or-for-another-card':
    'Fragen Sie den Kunden nach dem neuen Ablaufdatum oder nach einer anderen Karte.',
  'check-the-data-of-this-payment-if-it-is-correct-contact-the-gateway':
    'Prüfen Sie die Daten dieser Zahlung; sind sie richtig, wenden Sie sich an das Gateway.',
  'ask-the-customer-for-another-card': 'Bitten Sie den Kunden um eine andere Karte.',
  'check-the-amount-and-its-currency': 'Prüfen Sie den Betrag und seine Währung.',
  'ask-the-customer-for-the-right-card-number': 'Fragen Sie den Kunden nach der richtigen Kartennummer.',
  'leave-the-scheme-out': 'Lassen Sie das Kartennetz weg.',
  'try-again-in-a-few-minutes': 'Versuchen Sie es in einigen Minuten erneut.',
  'ask-the-customer-for-the-billing-address': 'Fragen Sie den Kunden nach der Rechnungsadresse.',
  'create-the-card-again-with-its-security-code': 'Legen Sie die Karte mit ihrem Sicherheitscode neu an.',
  'ask-the-customer-for-the-expiry-date': 'Fragen Sie den Kunden nach dem Ablaufdatum.',
  'ask-the-customer-for-the-name-on-the-card': 'Fragen Sie den Kunden nach dem Namen auf der Karte.',
  'ask-the-customer-for-the-card-number': 'Fragen Sie den Kunden nach der Kartennummer.',
  'ask-the-customer-for-the-pin': 'Fragen Sie den Kunden nach der PIN.',
  'wait-until-the-customer-has-finished-it': 'Warten Sie, bis der Kunde damit fertig ist.',
  'charge-the-amount-without-the-surcharge': 'Belasten Sie den Betrag ohne den Aufschlag.',
  'use-a-card-of-this-environment-for-the-sandbox-the-service-lists-all-at-docs-test-cards':
    'Nehmen Sie eine Karte dieser Umgebung; die der Sandbox stehen unter /docs/test-cards.',
  'do-not-charge-again-before-the-dispute-is-decided':
    'Belasten Sie nicht erneut, bevor die Reklamation entschieden ist.',
  'ask-the-customer-for-another-one': 'Bitten Sie den Kunden um eine andere.',
  'ask-the-gateway-for-the-reason-do-not-retry':
    'Fragen Sie das Gateway nach dem Grund; versuchen Sie es nicht erneut.',
  'check-the-account-at-the-gateway-and-its-configuration-here':
    'Prüfen Sie das Konto beim Gateway und seine Einrichtung hier.',
  'try-it-through-another-gateway-or-ask-the-customer-for-another-way-to-pay':
    'Versuchen Sie es über ein anderes Gateway, oder bitten Sie den Kunden, anders zu bezahlen.',
  'check-the-transaction-first-its-state-may-have-changed':
    'Prüfen Sie zuerst die Transaktion: Ihr Zustand kann sich geändert haben.',
  'create-another-invoice-and-authorize-that': 'Legen Sie eine neue Rechnung an, und autorisieren Sie diese.',
  'correct-it-and-try-again': 'Berichtigen Sie es, und versuchen Sie es erneut.',
  'try-again-later-or-through-another-gateway': 'Versuchen Sie es später oder über ein anderes Gateway.',
  'add-what-is-missing-and-try-again': 'Ergänzen Sie, was fehlt, und versuchen Sie es erneut.',
  'do-not-retry-check-the-customer': 'Versuchen Sie es nicht erneut; prüfen Sie den Kunden.',
  'check-the-data-of-this-payment': 'Prüfen Sie die Daten dieser Zahlung.',
  'ask-the-customer-for-another-way-to-pay': 'Bitten Sie den Kunden, anders zu bezahlen.',
  'check-the-routing-rules-if-this-payment-should-have-been-allowed':
    'Prüfen Sie die Routing-Regeln, falls diese Zahlung erlaubt sein sollte.',
}
