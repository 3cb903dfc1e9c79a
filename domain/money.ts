/** Money is a safe integer of minor units with its currency. Decimal strings exist only at the edge. */

/**
 * The codes by how many digits follow the decimal point. Source: ISO 4217, list one. Those of `ENDED` stay: refunds, captures
 * and exports of older payments are made in them.
 */
const CURRENCIES: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: 'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

interface End {
  /** The first day on which nobody pays in it. */
  since: string
  successor: string
}

/** Currencies of the list that have ended. Sources: ISO 4217, list three, and the central banks. */
const ENDED: ReadonlyMap<string, End> = new Map([
  ['ANG', { since: '2025-07-01', successor: 'XCG' }],
  ['BGN', { since: '2026-01-01', successor: 'EUR' }],
])

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.entries(CURRENCIES).flatMap(([exponent, codes]) => codes.split(' ').map((code) => [code, Number(exponent)])),
)

/** Eleven digits before the point and four after it stay below 2^53 minor units in every currency. */
const AMOUNT_PATTERN = /^(\d{1,11})(?:\.(\d{1,4}))?$/

/** True for an ISO 4217 code in capitals, also of a currency that has ended. */
export function isCurrency(code: string): boolean {
  return EXPONENTS.has(code)
}

/** Since when a currency is none, and what is paid in instead; null while it is in use. */
export function endOf(currency: string): End | null {
  return ENDED.get(currency) ?? null
}

/** The digits after the decimal point; throws RangeError for a code that `isCurrency` refuses. */
export function exponentOf(currency: string): number {
  const exponent = EXPONENTS.get(currency)
  if (exponent === undefined) throw new RangeError(`Not an ISO 4217 currency: ${currency}`)
  return exponent
}

/** The largest amount that the API accepts in a currency, in minor units: eleven digits before the point. */
export function largestAmountMinor(currency: string): number {
  return 10 ** (11 + exponentOf(currency)) - 1
}

/**
 * Reads a decimal string such as "29.00" as minor units (2900 for EUR). Returns null unless the text is plain digits with at
 * most four decimals and a whole number of minor units: "1.230" is 123 EUR cents, "1.234" is null. Signs, exponents and
 * separators are never accepted.
 */
export function parseAmount(text: string, currency: string): number | null {
  const match = AMOUNT_PATTERN.exec(text)
  if (match === null) return null
  const exponent = exponentOf(currency)
  const [, whole = '', fraction = ''] = match
  if (/[1-9]/.test(fraction.slice(exponent))) return null
  return Number(whole + fraction.slice(0, exponent).padEnd(exponent, '0'))
}

/** Prints minor units with the digits of the currency: 2900 EUR is "29.00", 500 JPY "500", 1500 KWD "1.500". */
export function formatAmount(amountMinor: number, currency: string): string {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError(`Not a whole number of minor units: ${amountMinor}`)
  const exponent = exponentOf(currency)
  const sign = amountMinor < 0 ? '-' : ''
  const digits = String(Math.abs(amountMinor)).padStart(exponent + 1, '0')
  if (exponent === 0) return sign + digits
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}
