import type { BrowserDetails, ExternalAuthentication } from '../../../domain/authentication.ts'

/** An ordinary browser. */
export const BROWSER: BrowserDetails = {
  acceptHeader: 'text/html,application/xhtml+xml',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  language: 'de-AT',
  colorDepth: 24,
  screenHeight: 1_080,
  screenWidth: 1_920,
  timeZoneOffset: -60,
  javaEnabled: false,
  ipAddress: '192.0.2.7',
}

/** A challenge that the merchant has let another provider make. */
export const EXTERNAL: ExternalAuthentication = {
  version: '2.2.0',
  transStatus: 'Y',
  eci: '05',
  cavv: 'AAABAWFlmQAAAABjRWWZEEFgFz8=',
  xid: null,
  dsTransId: 'f38e6948-5388-41a6-bca4-b49723c19437',
  wasChallenged: true,
}
