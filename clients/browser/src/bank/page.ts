/**
 * The script of `bank-frame.html`, a page at the origin of the API that shows the bank's page in a frame of its own. So the
 * merchant's content security policy needs to allow the API only: browsers apply it to wherever the frame goes, and nobody
 * knows the addresses of all banks.
 */

import { ESCAPED, onReturn, RETURNED } from '../page/bank-messages.ts'
import { make, style } from '../page/elements.ts'

const { origin, pathname, hash } = location
const below = pathname.slice(0, pathname.indexOf('/js/v1/'))
const value = origin + decodeURIComponent(hash.slice(1))

if (parent !== window && value.startsWith(`${origin}${below}/three-d-s/`)) show()

function show(): void {
  const whole = { margin: '0', width: '100%', height: '100%', overflow: 'hidden' }
  style(document.documentElement, whole)
  style(document.body, whole)
  const frame = make(
    'iframe',
    { ...whole, border: '0', display: 'block' },
    { title: document.title, allow: 'publickey-credentials-get *; payment *' },
  )
  onReturn({ frame, origin, value }, (token) => {
    // To whoever shows it: the token is worth nothing without the payment.
    parent.postMessage({ type: RETURNED, action: value, token }, '*')
  })
  const passOn = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') parent.postMessage({ type: ESCAPED, action: value }, '*')
  }
  addEventListener('keydown', passOn)
  frame.addEventListener('load', () => {
    try {
      frame.contentWindow?.addEventListener('keydown', passOn)
    } catch {
      // A bank of another origin keeps its keys to itself.
    }
  })
  // Chromium still gives the focus to this window after the event, so it is passed on in a task of its own.
  addEventListener('focus', () => setTimeout(() => frame.focus()))
  frame.src = value
  document.body.append(frame)
}
