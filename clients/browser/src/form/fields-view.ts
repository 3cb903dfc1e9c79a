import type { FieldName } from '../published.ts'
import { directionOf, type Locale } from '../texts.ts'
import { codeLength, formatCode } from './code-and-name.ts'
import { keepCaret } from './digits.ts'
import { formatExpiry } from './expiry.ts'
import { makeLogo, schemeName } from './logos.ts'
import { formatNumber } from './number.ts'
import { FIELDS, type Values } from './state.ts'
import type { FormTextsOf } from './texts.ts'
import type { ReadTheme } from './theme.ts'

/** The ids of `card-form.html`: the names by which browsers and password managers know the fields. */
const IDS: Record<FieldName, string> = { number: 'cc-number', expiry: 'cc-exp', cvc: 'cc-csc', name: 'cc-name' }

const FOCUS_IS_TAKEN_WITHIN_MS = 1_000

const CODE_PLACEHOLDER = '1234'

const FORMATS: Record<FieldName, (text: string, isDeleting: boolean) => string> = {
  number: formatNumber,
  expiry: formatExpiry,
  cvc: formatCode,
  name: (text) => text,
}

export interface FieldListeners {
  input(field: FieldName): void
  focus(field: FieldName): void
  blur(field: FieldName): void
  enter(): void
  brand(scheme: string): void
}

/** The elements of the card form: what they show, and what the customer does with them. */
export class FieldsView {
  readonly #listeners: FieldListeners
  readonly #form = elementOf('card')
  readonly #inputs = byField((field) => elementOf(IDS[field]) as HTMLInputElement)
  readonly #errors = byField((field) => elementOf(`${IDS[field]}-error`))
  readonly #labels = byField((field) => elementOf(`${IDS[field]}-label`))
  readonly #logo = elementOf('cc-number-scheme')
  readonly #brands = elementOf('brands')
  readonly #choices = elementOf('brand-choices')

  constructor(listeners: FieldListeners) {
    this.#listeners = listeners
    for (const field of FIELDS) this.#listen(field)
    this.#form.addEventListener('submit', (event) => event.preventDefault())
    this.#form.addEventListener('keydown', ({ key, isComposing, target }) => {
      if (key === 'Enter' && !isComposing && target instanceof HTMLInputElement) listeners.enter()
    })
  }

  values(): Values {
    return byField((field) => this.#inputs[field].value)
  }

  clear(fields: readonly FieldName[] = FIELDS): void {
    for (const field of fields) this.#inputs[field].value = ''
  }

  focus(field: FieldName): void {
    this.#inputs[field].focus()
  }

  /** The field that has the focus; null without any. */
  focused(): FieldName | null {
    if (!document.hasFocus()) return null
    return FIELDS.find((field) => this.#inputs[field] === document.activeElement) ?? null
  }

  /**
   * Focuses a field as the page has asked. Shortly after a dialog was closed, Chromium takes the focus from fields of other
   * frames; then the field gets it back, once.
   */
  focusForPage(field: FieldName, how?: 'select'): void {
    const input = this.#inputs[field]
    const until = Date.now() + FOCUS_IS_TAKEN_WITHIN_MS
    const again = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget === null && document.hasFocus() && Date.now() < until) setTimeout(() => input.focus())
    }
    input.addEventListener('blur', again, { once: true })
    input.focus()
    // So that another card replaces the one that is there.
    if (how === 'select') input.select()
  }

  showError(field: FieldName, text: string | null): void {
    const error = this.#errors[field]
    // The same text again would be read aloud again.
    if (error.textContent !== (text ?? '')) error.textContent = text ?? ''
    this.#inputs[field].setAttribute('aria-invalid', String(text !== null))
  }

  showTexts(locale: Locale, texts: FormTextsOf, isNameOptional: boolean): void {
    document.documentElement.lang = locale
    document.documentElement.dir = directionOf(locale)
    document.title = texts.title
    for (const field of FIELDS) this.#labels[field].textContent = texts[field]
    if (isNameOptional) this.#labels.name.textContent = `${texts.name} (${texts.optional})`
    this.#inputs.expiry.placeholder = texts.expiryPlaceholder
    elementOf('brand-label').textContent = texts.brand
  }

  showTheme({ variables, dark }: ReadTheme, isDark: boolean): void {
    const { style, dataset } = document.documentElement
    dataset.mode = isDark ? 'dark' : 'light'
    style.cssText = ''
    // Where it differs from that of the frame's element, browsers put a background behind the form.
    style.colorScheme = dataset.mode
    const all = { ...variables, ...(isDark ? dark : {}) }
    for (const [name, value] of Object.entries(all)) style.setProperty(name, value)
  }

  /** Without its field, browsers do not fill the name in either. */
  hideName(): void {
    elementOf('cc-name-field').remove()
  }

  requireName(isRequired: boolean): void {
    this.#inputs.name.required = isRequired
  }

  showScheme(scheme: string | null): void {
    const made = scheme === null ? null : makeLogo(scheme)
    this.#logo.replaceChildren(...(made === null ? [] : [made]))
    this.#inputs.cvc.placeholder = CODE_PLACEHOLDER.slice(0, codeLength(scheme).least)
  }

  /** The choice of a co-badged card; fewer than two schemes are no choice. */
  showBrands(schemes: readonly string[], chosen: string | null): void {
    this.#brands.hidden = schemes.length < 2
    const choices = this.#brands.hidden ? [] : schemes.map((scheme) => this.#makeChoice(scheme, scheme === chosen))
    this.#choices.replaceChildren(...choices)
  }

  setBusy(isBusy: boolean): void {
    this.#form.setAttribute('aria-busy', String(isBusy))
    for (const field of FIELDS) this.#inputs[field].readOnly = isBusy
  }

  /** Shows the form, and calls the listener with its height, now and whenever it changes. */
  show(onHeight: (height: number) => void): void {
    this.#form.hidden = false
    const tell = () => onHeight(Math.ceil(this.#form.getBoundingClientRect().height))
    new ResizeObserver(tell).observe(this.#form)
    tell()
  }

  #listen(field: FieldName): void {
    const input = this.#inputs[field]
    const change = (isDeleting: boolean) => {
      this.#format(field, isDeleting)
      this.#listeners.input(field)
    }
    input.addEventListener('input', (event) => {
      // Browsers that fill a field in send a plain event.
      const { inputType = '', isComposing = false } = event as Partial<InputEvent>
      if (!isComposing) change(inputType.startsWith('delete'))
    })
    input.addEventListener('compositionend', () => change(false))
    input.addEventListener('focus', () => this.#listeners.focus(field))
    input.addEventListener('blur', () => {
      this.#format(field, false)
      this.#listeners.blur(field)
    })
  }

  #format(field: FieldName, isDeleting: boolean): void {
    const input = this.#inputs[field]
    const typed = { text: input.value, caret: input.selectionStart ?? input.value.length }
    const { text, caret } = keepCaret(typed, (value) => FORMATS[field](value, isDeleting))
    if (text === input.value) return
    input.value = text
    // Safari moves the focus to a field whose caret is set.
    if (document.activeElement === input) input.setSelectionRange(caret, caret)
  }

  #makeChoice(scheme: string, isChosen: boolean): HTMLElement {
    const label = document.createElement('label')
    const radio = document.createElement('input')
    Object.assign(radio, { type: 'radio', name: 'brand', value: scheme, checked: isChosen })
    radio.addEventListener('change', () => this.#listeners.brand(scheme))
    const name = document.createElement('span')
    name.textContent = schemeName(scheme)
    const logo = makeLogo(scheme)
    logo?.setAttribute('aria-hidden', 'true')
    label.append(radio, ...(logo === null ? [] : [logo]), name)
    return label
  }
}

function byField<Value>(make: (field: FieldName) => Value): Record<FieldName, Value> {
  return { number: make('number'), expiry: make('expiry'), cvc: make('cvc'), name: make('name') }
}

function elementOf(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The card form has no element ${id}.`)
  return found
}
