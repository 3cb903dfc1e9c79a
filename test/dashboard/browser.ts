import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Role } from '../../domain/role.ts'
import { addMember } from '../../src/persistence/queries/people/members.ts'
import { createPerson } from '../../src/persistence/queries/people/people.ts'
import type { Interface } from '../http/interface.ts'
import type { Answer } from '../support/http-client.ts'
import { seededRandomBytes } from '../support/random.ts'
import { waitFor } from '../support/wait-for.ts'

type Headers = Record<string, string | null>

/** A browser with the pages of the dashboard in it: it keeps the cookie, and sends what pages send. */
export interface Browser {
  /** Of the last session; null after signing out. */
  cookie: string | null
  /** By which accounts know the browser. */
  marks: string[]
  csrfToken: string
  /** For `X-Project-Id`; null sends none. */
  project: string | null
  /** @param headers instead of those of the pages; null leaves one out. */
  ask(method: string, path: string, body?: object, headers?: Headers, signal?: AbortSignal): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: object): Promise<Answer>
  put(path: string, body?: object): Promise<Answer>
  delete(path: string): Promise<Answer>
  /** Signs in, and keeps the session. */
  signIn(email: string, password: string): Promise<Answer>
}

export function openBrowser(url: string): Browser {
  const browser: Browser = {
    cookie: null,
    marks: [],
    csrfToken: '',
    project: null,
    async ask(method, path, body, headers = {}, signal) {
      const isChange = method !== 'GET'
      const sent: Headers = {
        cookie: [browser.cookie ?? [], browser.marks].flat().join('; ') || null,
        ...(browser.project !== null && { 'x-project-id': browser.project }),
        ...(isChange && { origin: url, 'sec-fetch-site': 'same-origin', 'x-csrf-token': browser.csrfToken }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      }
      const given = Object.entries(sent).filter((header): header is [string, string] => header[1] !== null)
      const response = await fetch(new URL(path, url), {
        method,
        headers: given,
        redirect: 'manual',
        ...(signal && { signal }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      keep(browser, response.headers.getSetCookie())
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') === true
      const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
      if (answer.body?.session?.csrf_token !== undefined) browser.csrfToken = answer.body.session.csrf_token
      return answer
    },
    get: (path) => browser.ask('GET', path),
    post: (path, body = {}) => browser.ask('POST', path, body),
    put: (path, body = {}) => browser.ask('PUT', path, body),
    delete: (path) => browser.ask('DELETE', path),
    signIn: (email, password) => browser.post('/dashboard/session', { email, password }),
  }
  return browser
}

/**
 * Sends a request of the pages but for the end of its body, and waits until it is admitted.
 *
 * @returns ends the body, and gives the status of the answer.
 */
export async function begin(
  { url, database }: Pick<Interface, 'url' | 'database'>,
  { cookie, marks, csrfToken, project }: Browser,
  { method, path, body, origin = url }: { method: string; path: string; body: object; origin?: string },
): Promise<() => Promise<number | undefined>> {
  const calls = async () => {
    const counted = "select theoretical_arrival_us from rate_limit_bucket where kind = 'person' order by subject"
    return JSON.stringify(await database.orm.em.fork().execute(counted))
  }
  const before = await calls()
  const [text, cookies] = [JSON.stringify(body), [cookie, ...marks].join('; ')]
  const own = { cookie: cookies, origin, 'x-csrf-token': csrfToken, 'x-project-id': project ?? '' }
  const headers = { ...own, 'content-type': 'application/json', 'content-length': text.length }
  const sent = request(new URL(path, url), { method, headers })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.write(text.slice(0, 1))
  await waitFor(async () => (await calls()) !== before)
  return async () => {
    sent.end(text.slice(1))
    const [answer] = await answered
    answer.resume()
    return answer.statusCode
  }
}

function keep(browser: Browser, cookies: readonly string[]): void {
  for (const cookie of cookies) {
    const [pair = ''] = cookie.split(';')
    if (pair.includes('holdfast_known_')) browser.marks.push(pair)
    else browser.cookie = /Max-Age=0/i.test(cookie) ? null : pair
  }
}

export const PASSWORD = 'correct horse battery 9'
/** At the least cost there is: a password is compared at the cost that stands in its hash, and production's takes 30 ms. */
const PASSWORD_HASH = '$argon2id$v=19$m=8,t=1,p=1$c2FsdCBvZiB0aGUgdGVzdA$veIQfjbtSGUBAd+EqNYISKd+tHITMzYczL7JDxWeGwg'

let made = 0

export interface NewAccount {
  /** In projects, by their ids. */
  roles?: Readonly<Record<string, Role>>
}

/** Makes an account whose password is `PASSWORD`. */
export async function makeAccount(
  { database, clock }: Pick<Interface, 'database' | 'clock'>,
  { roles = {} }: NewAccount = {},
): Promise<{ id: string; email: string }> {
  made += 1
  const email = `person${made}@example.com`
  return database.orm.em.fork().transactional(async (em) => {
    const by = { actor: 'operator', now: clock.now() }
    const randomBytes = seededRandomBytes(`${database.name} ${email}`)
    const person = await createPerson(em, {
      ...by,
      email,
      name: `Person ${made}`,
      passwordHash: PASSWORD_HASH,
      randomBytes,
    })
    if (person === null) throw new Error(`${email} has an account.`)
    for (const [projectId, role] of Object.entries(roles))
      await addMember(em, { ...by, projectId, personId: person.id, role })
    return { id: person.id, email }
  })
}

/** A person of the project of the interface, signed in to its sandbox. */
export async function signedInAs(
  api: Interface,
  role: Role,
  projectId = api.merchant.projectId,
): Promise<Browser & { personId: string }> {
  const { id, email } = await makeAccount(api, { roles: { [projectId]: role } })
  const browser = openBrowser(api.url)
  const { status, body } = await browser.signIn(email, PASSWORD)
  if (status !== 200) throw new Error(`The sign-in was answered with ${status}: ${JSON.stringify(body)}`)
  return Object.assign(browser, { project: `test-${projectId}`, personId: id })
}
