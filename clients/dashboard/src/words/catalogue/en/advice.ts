/** What to do about a payment that has failed: the advice of the service by its own words (`adviceWords`). */
export const advice = {
  'try-it-through-another-gateway-or-later': 'Try it through another gateway, or later.',
  'ask-the-customer-for-another-card-or-wait-until-retry-after-of-the-transaction-has-passed':
    'Ask the customer for another card, or wait until retry_after of the transaction has passed.',
  'try-it-through-another-gateway-or-ask-the-customer-for-another-card':
    'Try it through another gateway, or ask the customer for another card.',
  'ask-the-acquirer-to-check-the-merchant-account-and-use-another-gateway-until-then':
    'Ask the acquirer to check the merchant account, and use another gateway until then.',
  'never-try-this-card-again-and-ask-the-customer-for-another-one':
    'Never try this card again, and ask the customer for another one.',
  'check-the-transaction-first-the-request-may-already-have-been-processed':
    'Check the transaction first: the request may already have been processed.',
  'ask-the-customer-to-call-the-bank-that-issued-the-card-or-to-use-another-card':
    'Ask the customer to call the bank that issued the card, or to use another card.',
  'ask-the-customer-to-correct-it-and-try-again': 'Ask the customer to correct it and try again.',
  'let-the-customer-start-again': 'Let the customer start again.',
  'try-again-later-or-ask-the-customer-for-another-card': 'Try again later, or ask the customer for another card.',
  'let-the-customer-authenticate-with-3-d-secure-and-try-again':
    'Let the customer authenticate with 3-D Secure and try again.',
  'ask-the-customer-for-the-new-expiry-date-or-for-another-card':
    'Ask the customer for the new expiry date, or for another card.',
  'check-the-data-of-this-payment-if-it-is-correct-contact-the-gateway':
    'Check the data of this payment; if it is correct, contact the gateway.',
  'ask-the-customer-for-another-card': 'Ask the customer for another card.',
  'check-the-amount-and-its-currency': 'Check the amount and its currency.',
  'ask-the-customer-for-the-right-card-number': 'Ask the customer for the right card number.',
  'leave-the-scheme-out': 'Leave the scheme out.',
  'try-again-in-a-few-minutes': 'Try again in a few minutes.',
  'ask-the-customer-for-the-billing-address': 'Ask the customer for the billing address.',
  'create-the-card-again-with-its-security-code': 'Create the card again with its security code.',
  'ask-the-customer-for-the-expiry-date': 'Ask the customer for the expiry date.',
  'ask-the-customer-for-the-name-on-the-card': 'Ask the customer for the name on the card.',
  'ask-the-customer-for-the-card-number': 'Ask the customer for the card number.',
  'ask-the-customer-for-the-pin': 'Ask the customer for the PIN.',
  'wait-until-the-customer-has-finished-it': 'Wait until the customer has finished it.',
  'charge-the-amount-without-the-surcharge': 'Charge the amount without the surcharge.',
  'use-a-card-of-this-environment-for-the-sandbox-the-service-lists-all-at-docs-test-cards':
    'Use a card of this environment; for the sandbox the service lists all at /docs/test-cards.',
  'do-not-charge-again-before-the-dispute-is-decided': 'Do not charge again before the dispute is decided.',
  'ask-the-customer-for-another-one': 'Ask the customer for another one.',
  'ask-the-gateway-for-the-reason-do-not-retry': 'Ask the gateway for the reason; do not retry.',
  'check-the-account-at-the-gateway-and-its-configuration-here':
    'Check the account at the gateway and its configuration here.',
  'try-it-through-another-gateway-or-ask-the-customer-for-another-way-to-pay':
    'Try it through another gateway, or ask the customer for another way to pay.',
  'check-the-transaction-first-its-state-may-have-changed': 'Check the transaction first: its state may have changed.',
  'create-another-invoice-and-authorize-that': 'Create another invoice and authorize that.',
  'correct-it-and-try-again': 'Correct it and try again.',
  'try-again-later-or-through-another-gateway': 'Try again later, or through another gateway.',
  'add-what-is-missing-and-try-again': 'Add what is missing and try again.',
  'do-not-retry-check-the-customer': 'Do not retry; check the customer.',
  'check-the-data-of-this-payment': 'Check the data of this payment.',
  'ask-the-customer-for-another-way-to-pay': 'Ask the customer for another way to pay.',
  'check-the-routing-rules-if-this-payment-should-have-been-allowed':
    'Check the routing rules if this payment should have been allowed.',
} as const
