import { decodePercent } from './base64.ts'
import type { WebAuthenticationCallback } from './request.ts'
import type { Invoice } from './resources.ts'
import type { ThreeDSRedirect } from './three-d-s-service.ts'

/**
 * `<application_id>://<service>/return`. An application id has two parts or more, of letters, digits and underscores,
 * each beginning with a letter. Source: Android's documentation, "Set the application ID".
 */
const ANDROID_RETURN_URL = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+:\/\/[^/?#\s]+\/return$/

/** A universal link, never plain HTTP, or the custom scheme of an app by RFC 3986. */
const IOS_RETURN_URL = /^(?!http:)[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]/i

export function isAndroidReturnUrl(url: string): boolean {
  return ANDROID_RETURN_URL.test(url)
}

export function isIosReturnUrl(url: string): boolean {
  return IOS_RETURN_URL.test(url)
}

/**
 * What is wrong with the `return_url` of an invoice for an app; null if nothing is. An invoice without one leaves the
 * customer in the browser as soon as a bank has no native way.
 */
export function returnUrlProblem(
  { id, returnUrl, channel }: Invoice,
  callback: WebAuthenticationCallback | undefined,
): string | null {
  const form =
    channel === 'android'
      ? '<application_id>://<service>/return'
      : 'com.example.shop://checkout/return, or of an HTTPS address that opens the app'
  const advice = `Have the server create the invoice with a return_url of the form ${form}.`
  if (returnUrl === null || returnUrl === '') return `The invoice ${id} has no return_url. ${advice}`
  if (!opensApp(returnUrl, channel)) return `The return_url of ${id}, ${returnUrl}, opens no app. ${advice}`
  return callbackProblem(id, returnUrl, callback)
}

/** An invoice of the channel `web` may be for either platform. */
function opensApp(returnUrl: string, channel: string | null): boolean {
  const { android, ios } = { android: isAndroidReturnUrl(returnUrl), ios: isIosReturnUrl(returnUrl) }
  return channel === 'android' ? android : ios || (channel === 'web' && android)
}

function callbackProblem(
  id: string,
  returnUrl: string,
  callback: WebAuthenticationCallback | undefined,
): string | null {
  const { origin, path } = placeOf(returnUrl)
  const isWebAddress = origin.startsWith('https://')
  if (callback === undefined) {
    if (!isWebAddress) return null
    const advice = 'hand in webAuthenticationCallback with its host and path.'
    return `The return_url of ${id}, ${returnUrl}, is an HTTPS address: ${advice}`
  }
  const matches =
    typeof callback === 'string'
      ? !isWebAddress && origin.startsWith(`${callback.toLowerCase()}://`)
      : origin === `https://${callback.host.toLowerCase()}` && path === callback.path
  return matches ? null : `The return_url of ${id}, ${returnUrl}, does not match webAuthenticationCallback.`
}

/** What an address that opens the app is compared with. */
type Session = Pick<ThreeDSRedirect, 'returnUrl' | 'invoiceId'>

/** Whether the address that the app was opened with ends this session. Any app may open any address. */
export function isEndedBy(redirect: Session, opened: string): boolean {
  return tokenOfReturn(redirect, opened) !== null
}

/**
 * The token of the address that the app was opened with; empty if it has none, or one that is no token.
 *
 * @throws Error for an address that does not end this session.
 */
export function tokenFrom(redirect: Session, opened: string): string {
  const token = tokenOfReturn(redirect, opened)
  if (token === null) throw new Error('The address is not the return_url of the invoice.')
  return token
}

/** A continuation of the service, and no other kind of source. */
export function isToken(value: string): boolean {
  return /^gway_req_./.test(value)
}

/**
 * Empty without a token, null if the address is not that `return_url` of that invoice. What is no token counts as none,
 * because any app may open the address, with another source in it.
 */
function tokenOfReturn({ returnUrl, invoiceId }: Session, opened: string): string | null {
  const [here, there] = [placeOf(opened), placeOf(returnUrl)]
  if (here.origin !== there.origin || here.path !== there.path) return null
  const parameters = parametersOf(opened)
  const given = parameters.get('invoice_id')
  if (given !== undefined && given !== invoiceId) return null
  const token = parameters.get('token') ?? ''
  return isToken(token) ? token : ''
}

/**
 * Scheme and host, which are the same in capitals, and the path, which a web address always has. React Native's own `URL`
 * knows web addresses only.
 */
function placeOf(address: string): { origin: string; path: string } {
  const [, origin = '', path = ''] = /^([^/?#]*:\/\/[^/?#]*)([^?#]*)/.exec(address) ?? []
  const isWebAddress = /^https:/i.test(origin)
  return { origin: origin.toLowerCase(), path: path === '' && isWebAddress ? '/' : path }
}

function parametersOf(address: string): Map<string, string> {
  const [, query = ''] = /\?([^#]*)/.exec(address.split('#')[0] ?? '') ?? []
  const parameters = new Map<string, string>()
  for (const part of query.split('&')) {
    const [name = '', ...rest] = part.split('=')
    const value = decodePercent(rest.join('='))
    if (value !== null) parameters.set(name, value)
  }
  return parameters
}
