import type { BrowserDetails } from '../../../domain/authentication.ts'

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
