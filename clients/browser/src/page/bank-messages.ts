import { objectIn } from '../payment/answer.ts'

/** What our return page posts once the bank's page is done. */
export const RETURNED = 'service.three-d-s'

/** What the frame posts when the customer presses Escape in it. */
export const ESCAPED = 'service.escape'

/** A page of the bank, as it is shown in a frame. */
export interface FramedPage {
  /** Of the frame. */
  address: string
  /** Of the action; messages name it. */
  value: string
  /** The origin of the API. */
  origin: string
}

/**
 * Listens for the message of the return page in one frame. Others may post, too: only that very window counts, at the
 * address of the API, and only about this action.
 *
 * @returns a function that ends the listening.
 */
export function onReturn(
  { frame, origin, value }: { frame: HTMLIFrameElement } & Pick<FramedPage, 'origin' | 'value'>,
  listener: (token: string) => void,
): () => void {
  return onMessage({ frame, origin, value }, RETURNED, ({ token }) => {
    if (typeof token === 'string' && (token === '' || token.startsWith('gway_req_'))) listener(token)
  })
}

/** Listens for Escape within the frame, whose keys this page does not get. */
export function onEscape(
  page: { frame: HTMLIFrameElement } & Pick<FramedPage, 'origin' | 'value'>,
  listener: () => void,
) {
  return onMessage(page, ESCAPED, listener)
}

function onMessage(
  { frame, origin, value }: { frame: HTMLIFrameElement } & Pick<FramedPage, 'origin' | 'value'>,
  wanted: string,
  listener: (message: Readonly<Record<string, unknown>>) => void,
): () => void {
  const listen = (event: MessageEvent<unknown>) => {
    if (event.origin !== origin || event.source === null || event.source !== frame.contentWindow) return
    const message = objectIn(event.data)
    if (message.type === wanted && message.action === value) listener(message)
  }
  addEventListener('message', listen)
  return () => removeEventListener('message', listen)
}
