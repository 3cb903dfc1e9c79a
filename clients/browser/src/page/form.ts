import { deferred } from '../deferred.ts'
import { errorOf, type HoldfastError, misuse, tellDeveloper } from '../errors.ts'
import {
  CONNECT,
  type ConnectMessage,
  type FrameChanges,
  type FrameFailure,
  type FrameOptions,
  type FromFrame,
  type ToFrame,
} from '../messages.ts'
import type * as published from '../published.ts'
import type { Card, CardData, FieldName, FormEvents, FormOptions, FormState } from '../published.ts'
import { localeOf, type Texts } from '../texts.ts'
import { isDark, onPreferenceChange } from './color-scheme.ts'
import { find, make } from './elements.ts'

/** The frame is there in a second; after this time it is not coming. */
const READY_WITHIN_MS = 15_000
const OPENED_AS_FILE =
  'A page that is opened as a file shows no card form: serve its folder, such as by python3 -m http.server.'
/** Higher than any form, so that a mistake cannot cover the page. */
const HEIGHT_MAX = 2_000

export interface FormContext {
  apiUrl: string
  projectId: string
  locale: string
  colorScheme: 'auto' | 'light' | 'dark'
  texts: Texts
}

/** The form in each element; a second one takes the place of the first. */
const forms = new WeakMap<Element, CardForm>()
const formsByFrame = new WeakMap<Element, CardForm>()

/** Gives the focus back to an element of the page; in a card form to the field that had it. */
export function giveFocusBack(element: Element | null): void {
  const form = element === null ? undefined : formsByFrame.get(element)
  if (form !== undefined) form.focusAgain()
  else if (element instanceof HTMLElement) element.focus({ preventScroll: true })
}

type Listeners = { [Name in keyof FormEvents]: Set<(event: FormEvents[Name]) => void> }
type Asked = 'validate' | 'tokenize' | 'update'
type Question = { [Type in Asked]: Omit<Extract<ToFrame, { type: Type }>, 'id'> }[Asked]

/** The merchant's side of the card form: a frame, and a channel to it. No digit of the card comes through. */
export class CardForm implements published.Form {
  readonly #context: FormContext
  #options: FormOptions
  #element: Element
  #frame: HTMLIFrameElement | null = null
  #port: MessagePort | null = null
  #ready = deferred<void>()
  #stopFollowing = () => {}
  #lastId = 0
  #lastField: FieldName = 'number'
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: unknown): void }>()
  readonly #listeners: Listeners = {
    ready: new Set(),
    change: new Set(),
    focus: new Set(),
    blur: new Set(),
    submit: new Set(),
  }

  constructor(element: Element | string, options: FormOptions, context: FormContext) {
    this.#context = context
    this.#options = options
    this.#element = elementOf(element)
  }

  on<Name extends keyof FormEvents>(name: Name, listener: (event: FormEvents[Name]) => void): () => void {
    const listeners = this.#listeners[name]
    if (listeners === undefined) throw misuse(`There is no event "${name}".`)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  focus(field?: FieldName): void {
    this.#frame?.focus({ preventScroll: true })
    this.#post({ type: 'focus', field: field ?? null })
  }

  /** After a dialog, during which browsers take the focus away from the fields. */
  focusAgain(): void {
    if (this.#port === null) return
    this.#frame?.focus({ preventScroll: true })
    this.#post({ type: 'refocus', field: this.#lastField })
  }

  clear(field?: FieldName): void {
    this.#post({ type: 'clear', field: field ?? null })
  }

  validate(): Promise<FormState> {
    return this.#ask({ type: 'validate' })
  }

  async update(options: Pick<FormOptions, 'locale' | 'colorScheme' | 'theme' | 'texts'>): Promise<void> {
    this.#options = { ...this.#options, ...options }
    await this.#change()
  }

  /** Stores the card; the frame itself sends it. */
  tokenize({ name, contact = {} }: CardData): Promise<Card> {
    return this.#ask({ type: 'tokenize', data: { name: name ?? null, contact } })
  }

  unmount(): void {
    if (forms.get(this.#element) === this) forms.delete(this.#element)
    this.#stopFollowing()
    this.#port?.close()
    this.#port = null
    this.#frame?.remove()
    this.#frame = null
    const error = misuse('The card form was unmounted.', 'request.form.unmounted')
    this.#ready.reject(error)
    this.#rejectAll(error)
  }

  async mount(element: Element | string = this.#element): Promise<void> {
    if (this.#frame !== null) this.unmount()
    this.#element = elementOf(element)
    if (location.protocol === 'file:') {
      // Said on the page as well: whoever opens a file tries the form out, and has no handler for errors yet.
      this.#element.textContent = OPENED_AS_FILE
      throw misuse(OPENED_AS_FILE)
    }
    forms.get(this.#element)?.unmount()
    forms.set(this.#element, this)
    this.#ready = deferred()
    const frame = makeFrame(this.#context, this.#isDark())
    this.#frame = frame
    formsByFrame.set(frame, this)
    // Again where the merchant moves the element, which makes browsers load the frame anew.
    frame.addEventListener('load', () => this.#connect(frame))
    frame.addEventListener('error', () => this.#ready.reject(this.#unreachable()))
    this.#stopFollowing = onPreferenceChange(() => void this.#change().catch(() => {}))
    const timer = setTimeout(() => this.#ready.reject(this.#unreachable()), READY_WITHIN_MS)
    this.#element.append(frame)
    try {
      await this.#ready.promise
    } catch (error) {
      if (this.#frame === frame) this.unmount()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Hands the frame its end of a new channel. Only a page of the API's origin can receive it. */
  #connect(frame: HTMLIFrameElement): void {
    const { port1, port2 } = new MessageChannel()
    this.#port?.close()
    this.#rejectAll(misuse('The card form was loaded again, and is empty.', 'request.form.unmounted'))
    this.#port = port1
    port1.onmessage = ({ data }: MessageEvent<FromFrame>) => this.#receive(data)
    const { projectId, apiUrl } = this.#context
    const message: ConnectMessage = { type: CONNECT, projectId, options: this.#frameOptions() }
    frame.contentWindow?.postMessage(message, new URL(apiUrl).origin, [port2])
  }

  #receive(message: FromFrame): void {
    switch (message.type) {
      case 'ready':
        this.#ready.resolve()
        this.#emit('ready', message.state)
        break
      case 'refused':
        this.#ready.reject(this.#errorOf(message.failure))
        break
      case 'height':
        this.#frame?.style.setProperty('height', `${Math.min(message.height, HEIGHT_MAX)}px`)
        break
      case 'change':
      case 'submit':
        this.#emit(message.type, message.state)
        break
      case 'focus':
        this.#lastField = message.field
        this.#emit('focus', { field: message.field })
        break
      case 'blur':
        this.#emit('blur', { field: message.field })
        break
      case 'answer':
        this.#take(message.id)?.resolve(message.answer)
        break
      case 'failure':
        this.#take(message.id)?.reject(this.#errorOf(message.failure))
        break
    }
  }

  #rejectAll(error: HoldfastError): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  #take(id: number) {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    return waiting
  }

  #emit<Name extends keyof FormEvents>(name: Name, event: FormEvents[Name]): void {
    for (const listener of [...this.#listeners[name]]) listener(event)
  }

  #post(message: ToFrame): void {
    if (this.#port === null) throw misuse('The card form is not mounted.', 'request.form.unmounted')
    this.#port.postMessage(message)
  }

  async #ask<Answer>(message: Question): Promise<Answer> {
    await this.#ready.promise
    this.#lastId += 1
    const id = this.#lastId
    const { promise, resolve, reject } = deferred<unknown>()
    this.#post({ ...message, id } as ToFrame)
    this.#waiting.set(id, { resolve, reject })
    return promise as Promise<Answer>
  }

  async #change(): Promise<void> {
    const { locale, theme, texts } = this.#frameOptions()
    const changes: FrameChanges = { locale, isDark: this.#isDark(), theme, texts }
    if (this.#frame !== null) this.#frame.style.colorScheme = this.#isDark() ? 'dark' : 'light'
    await this.#ask({ type: 'update', changes })
  }

  #isDark(): boolean {
    return isDark(this.#element, this.#options.colorScheme ?? this.#context.colorScheme)
  }

  #frameOptions(): FrameOptions {
    const {
      locale,
      theme = {},
      texts = {},
      name = 'required',
      preferredSchemes = [],
      autofocus = false,
    } = this.#options
    return {
      locale: localeOf(locale, this.#context.locale),
      isDark: this.#isDark(),
      theme,
      texts,
      name,
      preferredSchemes,
      autofocus,
    }
  }

  #errorOf({ message, ...failure }: FrameFailure): HoldfastError {
    return errorOf({ ...failure, message: message ?? undefined }, this.#context.texts)
  }

  #unreachable(): HoldfastError {
    const detail =
      'The card form did not load. The page needs frame-src for the API, and the API must allow the page to frame it.'
    tellDeveloper({ code: 'network', detail })
    return errorOf({ code: 'network', detail }, this.#context.texts)
  }
}

function elementOf(element: Element | string): Element {
  const found = find(element)
  if (found === null) throw misuse(`There is no element ${String(element)} for the card form.`)
  return found
}

function makeFrame({ apiUrl, projectId, texts }: FormContext, dark: boolean): HTMLIFrameElement {
  // The fields are in line with those of the page: the ring of the focus lies outside of them.
  const place = {
    border: '0',
    display: 'block',
    margin: '-4px',
    width: 'calc(100% + 8px)',
    // Of the form in its own theme, so that the page below moves no more than it must once it is there.
    height: '261px',
    'max-width': 'none',
  }
  const frame = make('iframe', { ...place, 'color-scheme': dark ? 'dark' : 'light' }, { title: texts.formTitle })
  frame.src = `${apiUrl}/js/v1/card-form.html?project=${encodeURIComponent(projectId)}`
  return frame
}
