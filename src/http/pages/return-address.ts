const WITHOUT_SPACE = /^[^\s\p{Cc}]+$/u

/** A scheme as mobile platforms register it: Android's application ids may hold underscores. */
const CUSTOM_ADDRESS = /^[A-Za-z][A-Za-z0-9+._-]*:\/\/[^/?#]+/

/** Schemes that contain a document or a program instead of an address. */
const ACTIVE_SCHEMES = /^(?:javascript|data|vbscript|blob|file|about):/i

/** An absolute HTTP address without credentials, which would end up in logs and lists. */
export function isWebAddress(text: string): boolean {
  const url = WITHOUT_SPACE.test(text) ? URL.parse(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/** An address that leads a customer back to the merchant: of the web, or by the custom scheme of a mobile app. */
export function isReturnAddress(text: string): boolean {
  if (/^https?:/i.test(text)) return isWebAddress(text)
  return (
    WITHOUT_SPACE.test(text) &&
    CUSTOM_ADDRESS.test(text) &&
    !ACTIVE_SCHEMES.test(text) &&
    URL.canParse(standardized(text))
  )
}

/**
 * The merchant's address with these parameters in its query, in the place of any of the same name.
 *
 * @param address holds by `isReturnAddress`.
 */
export function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(standardized(address))
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const scheme = schemeOf(address)
  return scheme + url.href.slice(scheme.length)
}

/** The standard of addresses does not know underscores in a scheme. */
function standardized(address: string): string {
  const scheme = schemeOf(address)
  return scheme.replaceAll('_', '-') + address.slice(scheme.length)
}

const schemeOf = (address: string): string => address.slice(0, address.indexOf(':'))
