import { deferred } from '../deferred.ts'
import type { ActionEnd } from '../payment/flow.ts'
import { type FramedPage, onReturn } from './bank-messages.ts'
import { make } from './elements.ts'

/** How long the bank's fingerprint page may take. Source: EMVCo's specification of 3-D Secure 2. */
const LASTS_MS = 10_000

/** Loads the bank's fingerprint page in a frame that nobody sees or reaches. */
export function fingerprint({ address, ...page }: FramedPage): Promise<ActionEnd> {
  const { promise, resolve } = deferred<ActionEnd>()
  // Pages that are not rendered at all (display: none) get no timers in some browsers.
  const frame = make(
    'iframe',
    {
      position: 'absolute',
      width: '1px',
      height: '1px',
      border: '0',
      opacity: '0',
      'pointer-events': 'none',
      top: '0',
    },
    { 'aria-hidden': 'true', tabindex: '-1', title: 'Bank' },
  )
  const stop = onReturn({ frame, ...page }, (token) => resolve({ kind: 'returned', token }))
  const timer = setTimeout(() => resolve({ kind: 'fingerprint timed out' }), LASTS_MS)
  frame.src = address
  document.body.append(frame)
  return promise.finally(() => {
    clearTimeout(timer)
    stop()
    frame.remove()
  })
}
