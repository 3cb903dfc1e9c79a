import { CustomerCanceled } from './errors.ts'
import { tokenFrom } from './return-url.ts'
import type { ThreeDSService } from './three-d-s-service.ts'

/**
 * Opens a browser session and waits until it comes back: `openAuthSessionAsync` of Expo's `expo-web-browser` and
 * `openAuth` of `react-native-inappbrowser-reborn` have this form. `url` is the address with which it came back.
 */
export type OpenBrowser = (url: string, returnUrl: string) => Promise<{ type: string; url?: string | null }>

/**
 * A service without a native library: every step is a page in a browser session. Its invoices have the channel `web`,
 * so that the service asks for pages only.
 */
export function createBrowserService({
  openBrowser,
  closeBrowser = () => {},
}: {
  openBrowser: OpenBrowser
  /** Closes the session that is open, if there is one. */
  closeBrowser?: () => void
}): ThreeDSService {
  return {
    authenticationRequest: () => Promise.reject(needsNativeLibrary()),
    handleChallenge: () => Promise.reject(needsNativeLibrary()),
    async handleRedirect(redirect) {
      const { type, url } = await openBrowser(redirect.url, redirect.returnUrl)
      if (type !== 'success' || typeof url !== 'string') throw new CustomerCanceled()
      return tokenFrom(redirect, url)
    },
    closeRedirect: closeBrowser,
    cleanup: closeBrowser,
  }
}

function needsNativeLibrary(): Error {
  return new Error('A native library is needed. Without one, create the invoice with device.channel web.')
}
