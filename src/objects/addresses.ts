import { namesHost } from '../../domain/web-address.ts'
import { optionalText, URL_LENGTH_MAX } from './taken.ts'

const WITHOUT_SPACE = /^[^\s\p{Cc}]+$/u

/** A scheme as mobile platforms register it: Android's application ids may hold underscores. */
const CUSTOM_ADDRESS = /^[A-Za-z][A-Za-z0-9+._-]*:\/\/[^/?#]+/

/** Schemes that contain a document or a program instead of an address. */
const ACTIVE_SCHEMES = /^(?:javascript|data|vbscript|blob|file|about):/i

/** An absolute HTTP address without credentials, which would end up in logs and lists. */
function isWebAddress(text: string): boolean {
  const url = WITHOUT_SPACE.test(text) && namesHost(text) ? URL.parse(text) : null
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

/** The standard of addresses does not know underscores in a scheme. */
export function standardized(address: string): string {
  const scheme = schemeOf(address)
  return scheme.replaceAll('_', '-') + address.slice(scheme.length)
}

export const schemeOf = (address: string): string => address.slice(0, address.indexOf(':'))

/** An absolute HTTP address. Credentials are refused: they would end up in logs and lists. */
export const webAddress = optionalText(URL_LENGTH_MAX, {
  holds: isWebAddress,
  message: 'must be an absolute http or https address without credentials',
  invalid: 'request.validation.invalid-url',
})

/** The customer's return address: a web address, or the custom scheme of a mobile app. */
export const returnUrl = optionalText(URL_LENGTH_MAX, {
  holds: isReturnAddress,
  message: 'must be an absolute address, such as https://shop.example/return or com.example.shop://pay/return',
  invalid: 'request.validation.invalid-url',
})

/**
 * `<application_id>://<service>/return`. An application id has two parts or more, of letters, digits and underscores, each
 * beginning with a letter; so no web address is one. Source: Android's documentation, "Set the application ID".
 */
const ANDROID_RETURN_URL = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+:\/\/[^/?#\s]+\/return$/

/** A universal link, never plain HTTP, or the custom scheme of an app by RFC 3986. */
const IOS_RETURN_URL = /^(?!http:)[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]/i

/** How an app gets control back after authentication, by the channel of the device. */
export const MOBILE_RETURN_URLS = {
  android: { holds: (url: string) => ANDROID_RETURN_URL.test(url), form: '<application_id>://<service>/return' },
  ios: {
    holds: (url: string) => IOS_RETURN_URL.test(url),
    form: 'of a custom scheme, such as com.example.shop://pay/return, or of an https address that opens the app',
  },
} as const

/** The URL for webhooks; `webhookTargetProblems` checks where it leads. */
export const webhookUrl = optionalText(URL_LENGTH_MAX, { invalid: 'request.validation.invalid-url' })
