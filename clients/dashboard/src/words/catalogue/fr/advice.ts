import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const advice: Translated<English['advice']> = {
  'try-it-through-another-gateway-or-later': 'Réessayez par une autre passerelle, ou plus tard.',
  'ask-the-customer-for-another-card-or-wait-until-retry-after-of-the-transaction-has-passed':
    'Demandez au client une autre carte, ou attendez que retry_after de la transaction soit passé.',
  'try-it-through-another-gateway-or-ask-the-customer-for-another-card':
    'Réessayez par une autre passerelle, ou demandez au client une autre carte.',
  'ask-the-acquirer-to-check-the-merchant-account-and-use-another-gateway-until-then':
    'Demandez à l’acquéreur de vérifier le compte marchand, et utilisez d’ici là une autre passerelle.',
  'never-try-this-card-again-and-ask-the-customer-for-another-one':
    'N’essayez plus jamais cette carte, et demandez-en une autre au client.',
  'check-the-transaction-first-the-request-may-already-have-been-processed':
    'Vérifiez d’abord la transaction : la requête a peut-être déjà été traitée.',
  'ask-the-customer-to-call-the-bank-that-issued-the-card-or-to-use-another-card':
    'Demandez au client d’appeler la banque de sa carte, ou d’utiliser une autre carte.',
  'ask-the-customer-to-correct-it-and-try-again': 'Demandez au client de corriger et de réessayer.',
  'let-the-customer-start-again': 'Laissez le client recommencer.',
  'try-again-later-or-ask-the-customer-for-another-card': 'Réessayez plus tard, ou demandez au client une autre carte.',
  'let-the-customer-authenticate-with-3-d-secure-and-try-again':
    'Faites authentifier le client avec 3-D Secure, puis réessayez.',
  'ask-the-customer-for-the-new-expiry-date-or-for-another-card':
    'Demandez au client la nouvelle date d’expiration, ou une autre carte.',
  'check-the-data-of-this-payment-if-it-is-correct-contact-the-gateway':
    'Vérifiez les données de ce paiement ; si elles sont correctes, contactez la passerelle.',
  'ask-the-customer-for-another-card': 'Demandez au client une autre carte.',
  'check-the-amount-and-its-currency': 'Vérifiez le montant et sa devise.',
  'ask-the-customer-for-the-right-card-number': 'Demandez au client le bon numéro de carte.',
  'leave-the-scheme-out': 'N’indiquez pas de réseau.',
  'try-again-in-a-few-minutes': 'Réessayez dans quelques minutes.',
  'ask-the-customer-for-the-billing-address': 'Demandez au client l’adresse de facturation.',
  'create-the-card-again-with-its-security-code': 'Créez de nouveau la carte avec son code de sécurité.',
  'ask-the-customer-for-the-expiry-date': 'Demandez au client la date d’expiration.',
  'ask-the-customer-for-the-name-on-the-card': 'Demandez au client le nom inscrit sur la carte.',
  'ask-the-customer-for-the-card-number': 'Demandez au client le numéro de carte.',
  'ask-the-customer-for-the-pin': 'Demandez au client le code PIN.',
  'wait-until-the-customer-has-finished-it': 'Attendez que le client ait terminé.',
  'charge-the-amount-without-the-surcharge': 'Débitez le montant sans le supplément.',
  'use-a-card-of-this-environment-for-the-sandbox-the-service-lists-all-at-docs-test-cards':
    'Utilisez une carte de cet environnement ; celles du bac à sable sont listées sous /docs/test-cards.',
  'do-not-charge-again-before-the-dispute-is-decided': 'Ne débitez pas de nouveau avant que le litige soit tranché.',
  'ask-the-customer-for-another-one': 'Demandez-en une autre au client.',
  'ask-the-gateway-for-the-reason-do-not-retry': 'Demandez la raison à la passerelle ; ne réessayez pas.',
  'check-the-account-at-the-gateway-and-its-configuration-here':
    'Vérifiez le compte auprès de la passerelle et sa configuration ici.',
  'try-it-through-another-gateway-or-ask-the-customer-for-another-way-to-pay':
    'Réessayez par une autre passerelle, ou demandez au client de payer autrement.',
  'check-the-transaction-first-its-state-may-have-changed':
    'Vérifiez d’abord la transaction : son état a peut-être changé.',
  'create-another-invoice-and-authorize-that': 'Créez une autre facture et autorisez-la.',
  'correct-it-and-try-again': 'Corrigez et réessayez.',
  'try-again-later-or-through-another-gateway': 'Réessayez plus tard, ou par une autre passerelle.',
  'add-what-is-missing-and-try-again': 'Ajoutez ce qui manque et réessayez.',
  'do-not-retry-check-the-customer': 'Ne réessayez pas ; vérifiez le client.',
  'check-the-data-of-this-payment': 'Vérifiez les données de ce paiement.',
  'ask-the-customer-for-another-way-to-pay': 'Demandez au client de payer autrement.',
  'check-the-routing-rules-if-this-payment-should-have-been-allowed':
    'Vérifiez les règles de routage si ce paiement aurait dû être accepté.',
}
