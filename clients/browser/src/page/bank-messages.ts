import { objectIn } from '../payment/answer.ts'

/** What our return page posts once the bank's page is done. */
export const RETURNED = 'service.three-d-s'

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
  const listen = (event: MessageEvent<unknown>) => {
    if (event.origin !== origin || event.source === null || event.source !== frame.contentWindow) return
    const { type, action, token } = objectIn(event.data)
    if (type !== RETURNED || action !== value || typeof token !== 'string') return
    if (token === '' || token.startsWith('gway_req_')) listener(token)
  }
  addEventListener('message', listen)
  return () => removeEventListener('message', listen)
}
