import { type DeviceDataRow, FIXTURES } from '../../test/wire-fixtures.ts'
import { type ThreeDSRedirect, type ThreeDSService, tokenFrom } from '../src/index.ts'
import { openInBrowser } from './bank-browser.ts'

export const PLAIN_CARD = '4242424242424242'
/** Needs a challenge. */
export const CHALLENGE_CARD = '4000000000000101'
export const FINGERPRINT_CARD = '4000000000003063'

const DEVICE_DATA = FIXTURES.actions
  .flatMap(({ next_sources: next }) => next)
  .find(({ means }) => means === 'device data')?.given as DeviceDataRow

/** A customer with a phone: what the native library would do, and a browser. */
export function customer({
  challenge = () => Promise.reject(new Error('No challenge was expected.')),
  browser = () => Promise.reject(new Error('No page was expected.')),
}: {
  challenge?: () => Promise<boolean>
  browser?: (redirect: ThreeDSRedirect) => Promise<string>
} = {}) {
  const calls: string[] = []
  const app: ThreeDSService = {
    async authenticationRequest() {
      calls.push('authenticationRequest')
      return DEVICE_DATA
    },
    handleChallenge() {
      calls.push('challenge')
      return challenge()
    },
    async handleRedirect(redirect) {
      calls.push('redirect')
      return tokenFrom(redirect, await browser(redirect))
    },
    cleanup: () => void calls.push('cleanup'),
  }
  return { app, calls }
}

/** A customer who passes every challenge on the pages of the bank. */
export const throughBrowser = () => customer({ browser: atBank })

/** What the simulator's bank takes. */
const CODE = '1234'

/** @returns the address that opens the app again. */
export function atBank(redirect: ThreeDSRedirect): Promise<string> {
  return openInBrowser(redirect, CODE)
}
