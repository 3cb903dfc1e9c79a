import { basename } from 'node:path'

/**
 * A browser as far as a payment needs one: it opens pages, follows redirects and sends forms. What runs scripts is tried with
 * a real browser elsewhere.
 */
async function openPage(url: string, init: RequestInit = {}): Promise<{ status: number; text: string; url: string }> {
  const answer = await fetch(url, { redirect: 'follow', ...init })
  return { status: answer.status, text: await answer.text(), url: answer.url }
}

function formIn(text: string, base: string): { action: string; fields: Record<string, string> } {
  const action = /<form[^>]*action="([^"]*)"/.exec(text)?.[1] ?? base
  const inputs = [...text.matchAll(/<input[^>]*>/g)].map(([tag]) => [
    /name="([^"]*)"/.exec(tag)?.[1] ?? '',
    unescaped(/value="([^"]*)"/.exec(tag)?.[1] ?? ''),
  ])
  return {
    action: new URL(unescaped(action), base).href,
    fields: Object.fromEntries(inputs.filter(([name]) => name !== '')),
  }
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}

/** @throws NoWayBack where the page says that it could not be opened: a customer sends no answer to that. */
async function sendForm(page: { status: number; text: string; url: string }, more: Record<string, string> = {}) {
  if (page.status === 429 || page.status >= 500) throw new NoWayBack(page)
  const { action, fields } = formIn(page.text, page.url)
  return openPage(action, { method: 'POST', body: new URLSearchParams({ ...fields, ...more }) })
}

/** The customer types a code into the page of the bank behind a step; gives the source of the next call. */
export async function challenge(value: string, code: string): Promise<string> {
  const [source] = SOURCE.exec(await lastPage(value, code)) ?? []
  return String(source)
}

/**
 * The customer does the same at a gateway whose page is not on this machine, and is not opened.
 *
 * @param visit is given the last part of its address, and gives the way back
 */
export async function challengeElsewhere(value: string, visit: (page: string) => Promise<string>): Promise<string> {
  const { status, headers } = await fetch(value, { redirect: 'manual' })
  const page = headers.get('location')
  if (page === null) throw new NoWayBack({ status, text: 'the step leads nowhere' })
  return sourceIn(await openPage(await visit(basename(page))))
}

/** The page that sends the customer back to the shop or the app. */
export async function lastPage(value: string, code: string): Promise<string> {
  const form = await openPage(value)
  const bank = await sendForm(form)
  const back = await sendForm(bank, { code })
  const ended = SOURCE.test(back.text) ? back : await sendForm(back)
  sourceIn(ended)
  return ended.text
}

const SOURCE = /gway_req_[A-Za-z0-9_-]+/

/** A page that should lead back to the shop, and does not. */
export class NoWayBack extends Error {
  readonly status: number

  constructor({ status, text }: { status: number; text: string }) {
    super(`The bank did not send the customer back: ${status} ${text}`)
    this.status = status
  }
}

function sourceIn(page: { status: number; text: string }): string {
  const [source] = SOURCE.exec(page.text) ?? []
  if (source === undefined) throw new NoWayBack(page)
  return source
}

/** A source as clients write it: a request of which nothing is ever fetched. */
export function continuation(request: { url?: string; body?: string }): string {
  return `gway_req_${Buffer.from(JSON.stringify(request)).toString('base64')}`
}

/** What the library of an app tells of the customer's device. */
export const DEVICE = {
  deviceChannel: 'app',
  sdkAppID: 'app-1',
  sdkEphemPubKey: { crv: 'P-256', kty: 'EC', x: 'x', y: 'y' },
  sdkReferenceNumber: 'reference',
  sdkTransID: 'trans-1',
  sdkEncData: 'native-device-data',
}
