import type { Card, CardContact, FieldName, FormState, FormTexts, Theme } from './published.ts'

/**
 * What the page of the merchant and the frame of the card form say to each other, over a channel of their own. A newer frame
 * meets older scripts, since merchants may keep a script by its hash: what is here may be added to, and not changed.
 */

/** The first message, on the window of the frame. It hands over the port of the channel. */
export const CONNECT = 'holdfast.connect'

export interface ConnectMessage {
  type: typeof CONNECT
  projectId: string
  options: FrameOptions
}

export interface FrameOptions {
  locale: string
  isDark: boolean
  theme: Theme
  texts: FormTexts
  name: 'required' | 'optional' | 'hidden'
  preferredSchemes: readonly string[]
  autofocus: boolean
}

export type FrameChanges = Partial<Pick<FrameOptions, 'locale' | 'isDark' | 'theme' | 'texts'>>

export interface FrameCardData {
  name: string | null
  contact: CardContact
}

/** From the page. Those with an id are answered. */
export type ToFrame =
  | { type: 'focus'; field: FieldName | null }
  /** After a dialog of the page: to this field, unless the customer is in another one already. */
  | { type: 'refocus'; field: FieldName }
  | { type: 'clear'; field: FieldName | null }
  | { type: 'update'; id: number; changes: FrameChanges }
  | { type: 'validate'; id: number }
  | { type: 'tokenize'; id: number; data: FrameCardData }

/** From the frame. No digit of the card is in any of them, but for the last four that the API shows of a stored card. */
export type FromFrame =
  | { type: 'ready'; state: FormState }
  | { type: 'refused'; failure: FrameFailure }
  | { type: 'height'; height: number }
  | { type: 'change'; state: FormState }
  | { type: 'focus' | 'blur'; field: FieldName }
  | { type: 'submit'; state: FormState }
  | { type: 'answer'; id: number; answer: FormState | Card | null }
  | { type: 'failure'; id: number; failure: FrameFailure }

export interface FrameFailure {
  code: string
  detail: string
  /** Null where the page has the customer's text. */
  message: string | null
  requestId: string | null
  fields: Partial<Record<FieldName, string>>
}
