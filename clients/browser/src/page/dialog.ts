import { deferred } from '../deferred.ts'
import type { ActionEnd } from '../payment/flow.ts'
import { directionOf, type Locale, type Texts } from '../texts.ts'
import { type FramedPage, onEscape, onReturn } from './bank-messages.ts'
import { type ColorScheme, isDark } from './color-scheme.ts'
import { make, style } from './elements.ts'
import { giveFocusBack } from './form.ts'
import { goToFullPage } from './full-page.ts'
import { BAR_HEIGHT, windowSizeFor } from './window-size.ts'

/** A page that has not loaded by then gets a way around the frame. */
const LOADS_WITHIN_MS = 3_000
/** A frame that the bank has refused looks like a loaded one, so every page gets the way around some time later. */
const OFFERS_FULL_PAGE_AFTER_MS = 8_000
/** How long an authentication lasts at the API, and a little more. */
const LASTS_MS = 15 * 60_000 + 5_000

/** Some milliseconds after a frame has gone with the focus, Chromium takes the focus from fields of all other frames. */
const FOCUS_COMES_BACK_AFTER_MS = 100

export interface DialogOptions {
  texts: Texts
  locale: Locale
  colorScheme: ColorScheme
}

/**
 * Shows a page of the bank in a modal dialog, until it has come back or the customer has closed it. Everything lies in a
 * shadow tree with styles of its own, so that the page's styles do not reach it.
 */
export async function showDialog({ address, ...page }: FramedPage, options: DialogOptions): Promise<ActionEnd> {
  const { promise, resolve } = deferred<ActionEnd | { kind: 'full page' }>()
  const leave = keepPlace()
  const { host, root, dialog, box, frame, spinner, closer, fullPage } = build(options)
  const stops = [
    onReturn({ frame, ...page }, (token) => resolve({ kind: 'returned', token })),
    onEscape({ frame, ...page }, () => resolve({ kind: 'canceled' })),
    keepSize(dialog, box, frame),
    offerFullPage(frame, fullPage),
  ]
  const timer = setTimeout(() => resolve({ kind: 'expired' }), LASTS_MS)
  closer.addEventListener('click', () => resolve({ kind: 'canceled' }))
  fullPage.addEventListener('click', () => resolve({ kind: 'full page' }))
  // Escape, and the back gesture of phones.
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    resolve({ kind: 'canceled' })
  })
  dialog.addEventListener('close', () => resolve({ kind: 'canceled' }))
  frame.addEventListener('load', () => {
    spinner.remove()
    // The keyboard goes to the bank's page, unless the customer has moved on already.
    if (root.activeElement === dialog) frame.focus({ preventScroll: true })
  })
  frame.src = address
  dialog.showModal()
  dialog.focus({ preventScroll: true })
  const end = await promise
  clearTimeout(timer)
  for (const stop of stops) stop()
  dialog.close()
  host.remove()
  leave()
  return end.kind === 'full page' ? goToFullPage(page.value) : end
}

/** Holds the page below still; the function that is returned puts back scrolling, place and focus. */
function keepPlace(): () => void {
  const { documentElement: root, activeElement: focused } = document
  const [left, top] = [scrollX, scrollY]
  const { overflow, scrollbarGutter } = root.style
  // Without the place of the scroll bar, everything would move sideways.
  if (innerWidth > root.clientWidth) root.style.scrollbarGutter = 'stable'
  root.style.overflow = 'hidden'
  return () => {
    Object.assign(root.style, { overflow, scrollbarGutter })
    scrollTo({ left, top, behavior: 'instant' })
    setTimeout(() => {
      // The page may have moved it on, to its message.
      if ([focused, document.body, null].includes(document.activeElement)) giveFocusBack(focused)
    }, FOCUS_COMES_BACK_AFTER_MS)
  }
}

/**
 * Keeps the dialog within what is visible. On a phone that is less than the window while the keyboard is shown, and
 * otherwise the browser would move the whole page.
 */
function keepSize(dialog: HTMLElement, box: HTMLElement, frame: HTMLElement): () => void {
  const place = () => {
    const whole = { offsetTop: 0, offsetLeft: 0, width: innerWidth, height: innerHeight }
    const { offsetTop: top, offsetLeft: left, width, height } = visualViewport ?? whole
    // Judged by the window without the keyboard, so that the dialog does not change its kind with it.
    const size = windowSizeFor(innerWidth, innerHeight)
    style(dialog, { top: `${top}px`, left: `${left}px`, width: `${width}px`, height: `${height}px` })
    style(box, {
      width: size === null ? '100%' : `${size.width}px`,
      height: size === null ? '100%' : 'auto',
      'max-height': '100%',
      'border-radius': size === null ? '0' : '12px',
    })
    style(frame, { flex: size === null ? '1 1 0' : `0 1 ${size.height}px` })
  }
  place()
  const targets = [window, visualViewport].filter((target) => target !== null)
  const names = ['resize', 'scroll']
  for (const target of targets) for (const name of names) target.addEventListener(name, place)
  return () => {
    for (const target of targets) for (const name of names) target.removeEventListener(name, place)
  }
}

/** Offers the page without a frame where it loads slowly or not at all. A frame does not tell that it was refused. */
function offerFullPage(frame: HTMLIFrameElement, button: HTMLButtonElement): () => void {
  const show = () => {
    button.hidden = false
    style(button, { display: 'block' })
  }
  let timer = setTimeout(show, LOADS_WITHIN_MS)
  frame.addEventListener('error', show)
  frame.addEventListener('load', () => {
    clearTimeout(timer)
    timer = setTimeout(show, OFFERS_FULL_PAGE_AFTER_MS)
  })
  return () => clearTimeout(timer)
}

function build({ texts, locale, colorScheme }: DialogOptions) {
  const dark = isDark(document.documentElement, colorScheme)
  const { paper, ink, line } = dark ? DARK : LIGHT
  const host = make('div', { all: 'initial' }, { lang: locale, dir: directionOf(locale) })
  const root = host.attachShadow({ mode: 'open' })
  const font = '16px/1.4 system-ui, sans-serif'
  const dialog = make(
    'dialog',
    { ...PLAIN, position: 'fixed', margin: '0', 'max-width': 'none', 'max-height': 'none', display: 'flex', font },
    { 'aria-modal': 'true', 'aria-labelledby': 'title', tabindex: '-1' },
  )
  style(dialog, {
    background: 'rgba(0, 0, 0, 0.55)',
    'align-items': 'center',
    'justify-content': 'center',
    outline: 'none',
  })
  const box = make('section', { display: 'flex', 'flex-direction': 'column', overflow: 'hidden', position: 'relative' })
  style(box, { background: paper, color: ink, 'color-scheme': dark ? 'dark' : 'light' })
  const bar = make('header', { display: 'flex', 'align-items': 'center', 'min-height': `${BAR_HEIGHT}px`, gap: '8px' })
  style(bar, {
    padding: '0 8px 0 16px',
    'padding-inline': '16px 8px',
    'border-bottom': `1px solid ${line}`,
    flex: 'none',
  })
  const title = make('h2', { margin: '0', flex: '1', font: 'inherit', 'font-weight': '600' }, { id: 'title' })
  title.textContent = texts.dialogTitle
  const closer = button(texts.dialogClose, { 'text-decoration': 'underline', flex: 'none' })
  const frame = make(
    'iframe',
    { border: '0', width: '100%', 'min-height': '0', background: '#fff', 'color-scheme': 'light' },
    { title: texts.dialogTitle, allow: 'publickey-credentials-get *; payment *', id: 'bank' },
  )
  const spinner = makeSpinner(line, ink)
  const fullPage = button(texts.dialogFullPage, {
    display: 'none',
    'text-decoration': 'underline',
    'min-height': `${BAR_HEIGHT}px`,
    flex: 'none',
  })
  fullPage.hidden = true
  bar.append(title, closer)
  box.append(bar, frame, spinner, fullPage)
  dialog.append(box)
  root.append(dialog)
  document.body.append(host)
  return { host, root, dialog, box, frame, spinner, closer, fullPage }
}

const LIGHT = { paper: '#fff', ink: '#1a1d21', line: '#d5d9de' }
const DARK = { paper: '#1f2226', ink: '#f3f4f6', line: '#4b5057' }
const PLAIN = { border: '0', padding: '0', background: 'none', color: 'inherit', font: 'inherit' }

function button(text: string, properties: Readonly<Record<string, string>>): HTMLButtonElement {
  const made = make('button', { ...PLAIN, cursor: 'pointer', padding: '12px', ...properties }, { type: 'button' })
  made.textContent = text
  return made
}

function makeSpinner(line: string, ink: string): HTMLElement {
  const spinner = make(
    'div',
    {
      position: 'absolute',
      top: '50%',
      left: '50%',
      width: '32px',
      height: '32px',
      margin: '-16px',
      'border-radius': '50%',
    },
    { 'aria-hidden': 'true' },
  )
  style(spinner, { border: `3px solid ${line}`, 'border-top-color': ink, 'box-sizing': 'border-box' })
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
    spinner.animate([{ transform: 'rotate(0)' }, { transform: 'rotate(1turn)' }], {
      duration: 900,
      iterations: Infinity,
    })
  return spinner
}
