import { pairsOf } from '../pairs.ts'

/** Every reason of a refusal that Adyen documents: its code, its words, and ours. */
export const REASONS = pairsOf(`
  card.declined: 2 Refused; card.contact-bank: 3 Referral; card.acquirer-failed: 4 Acquirer Error;
  card.restricted: 5 Blocked Card, 25 Restricted Card; card.expired: 6 Expired Card;
  card.invalid-amount: 7 Invalid Amount; card.invalid-account: 8 Invalid Card Number;
  card.issuer-down: 9 Issuer Unavailable; card.not-supported: 10 Not supported;
  card.failed-3ds: 11 3D Not Authenticated; card.no-money: 12 Not enough balance;
  card.possible-fraud: 14 Acquirer Fraud, 31 Issuer Suspected Fraud;
  customer.cancelled: 15 Cancelled, 16 Shopper Cancelled; card.invalid-pin: 17 Invalid Pin;
  card.exceeded-pin-attempts: 18 Pin tries exceeded; card.cannot-verify-pin: 19 Pin validation not possible;
  gateway.possible-fraud: 20 FRAUD, 22 FRAUD-CANCELLED; card.transaction-not-processed: 21 Not Submitted;
  card.not-authorized: 23 Transaction Not Permitted; card.failed-cvc: 24 CVC Declined;
  card.revoked: 26 Revocation Of Auth; card.do-not-honor: 27 Declined Non Generic;
  card.exceeded-withdrawal-limit: 28 Withdrawal amount exceeded;
  card.exceeded-activity-limits: 29 Withdrawal count exceeded; card.failed-avs: 32 AVS Declined;
  card.missing-pin: 33 Card requires online pin, 36 Mobile pin required;
  card.no-cheque-account: 34 No checking account available on Card;
  card.no-savings-account: 35 No savings account available on Card;
  card.needs-authentication: 38 Authentication required;
  card.failed-3ds-technical: 39 RReq not received from DS, 42 3DS Authentication Error;
  gateway.blocked: 46 Transaction blocked by Adyen to prevent excessive retry fees
`).map(([reason, code]): [code: string, words: string, ours: string] => {
  const [number = '', ...words] = reason.split(' ')
  return [number, words.join(' '), code]
})
