import { CONNECT, type FrameOptions, type FromFrame, type ToFrame } from '../messages.ts'
import { objectIn, textIn } from '../payment/answer.ts'

export interface Connection {
  options: unknown
  send(message: FromFrame): void
  receive(listener: (message: ToFrame) => void): void
}

/**
 * Waits for the page around the frame to hand over its end of a channel. The first page that does so is the only one that
 * is ever listened to: it must be the parent itself, at an origin of its own, and name the project of the frame's address.
 */
export function awaitParent(projectId: string): Promise<Connection> {
  return new Promise((resolve) => {
    addEventListener('message', function listen(event: MessageEvent<unknown>) {
      const { type, projectId: named, options } = objectIn(event.data)
      const [port, ...others] = event.ports
      if (event.source !== parent || !isParentOrigin(event.origin) || type !== CONNECT) return
      if (port === undefined || others.length > 0) return
      const send = (message: FromFrame) => port.postMessage(message)
      if (named !== projectId) {
        const detail = 'The project of the page is not that of the card form.'
        return send({
          type: 'refused',
          failure: { code: 'request.authentication.invalid', detail, message: null, requestId: null, fields: {} },
        })
      }
      removeEventListener('message', listen)
      resolve({
        options,
        send,
        receive: (listener) => {
          port.onmessage = ({ data }: MessageEvent<ToFrame>) => listener(data)
        },
      })
    })
  })
}

/** A page without an origin, as in a sandboxed frame or a file, could be anybody's. */
function isParentOrigin(origin: string): boolean {
  if (origin === 'null' || origin === '') return false
  // Firefox has no such list.
  const { ancestorOrigins } = location as { ancestorOrigins?: DOMStringList }
  return ancestorOrigins === undefined || ancestorOrigins[0] === origin
}

/** The options of the page, of which nothing is believed. */
export function readFrameOptions(
  given: unknown,
): Omit<FrameOptions, 'theme' | 'texts'> & { theme: unknown; texts: unknown } {
  const { locale, isDark, theme, texts, name, preferredSchemes, autofocus } = objectIn(given)
  return {
    locale: textIn(locale) ?? 'en',
    isDark: isDark === true,
    theme,
    texts,
    name: name === 'hidden' || name === 'optional' ? name : 'required',
    preferredSchemes: Array.isArray(preferredSchemes) ? preferredSchemes.filter((one) => typeof one === 'string') : [],
    autofocus: autofocus === true,
  }
}
