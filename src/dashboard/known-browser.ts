import { randomText } from '../../domain/identifiers.ts'
import type { ApiContext } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import type { Spares } from '../http/middleware/limit-address.ts'
import type { PersonRow } from '../persistence/entities/person.ts'

/** A browser stays known from one half year to the next, and as long as the password stays. */
const KNOWN_SECONDS = 180 * 24 * 60 * 60

type Deps = Pick<AppDeps, 'vault' | 'randomBytes' | 'clock' | 'isReachedByHttps'>
type Person = Pick<PersonRow, 'id' | 'email' | 'passwordHash'>

/** Epoch seconds, 190 random bits, and what only the service can make of both: for the account, and for any. */
const VALUE = /^(\d{1,12})\.([0-9A-Za-z]{32})\.([0-9a-f]{64})\.[0-9a-f]{64}$/
const ANY_COOKIE = /holdfast_known_[0-9a-f]{16}=(\d{1,12})\.([0-9A-Za-z]{32})\.[0-9a-f]{64}\.([0-9a-f]{64})/g

/** Looked at in a request; a browser that more colleagues share is known by the first ones. */
const ACCOUNTS_MAX = 10

/**
 * Whether the browser has signed in to the account before, by a signed cookie that it was given then: tries to guess the
 * password in other browsers do not keep it out. It opens nothing.
 */
export function isKnownBrowser(deps: Deps, ctx: ApiContext, person: Person | null): boolean {
  if (person === null) return false
  const [, endsAt = '', nonce = '', mark = ''] = VALUE.exec(ctx.cookies.get(nameOf(deps, person)) ?? '') ?? []
  return deps.vault.isSameHash(mark, markOf(deps, person, endsAt, nonce)) && isLasting(deps, endsAt)
}

/** Has the browser of a person who has signed in be known from now on. */
export function rememberBrowser(deps: Deps, ctx: ApiContext, person: Person): void {
  const endsAt = String(Math.floor(deps.clock.now().getTime() / 1000) + KNOWN_SECONDS)
  const nonce = randomText(deps.randomBytes)
  const value = `${endsAt}.${nonce}.${markOf(deps, person, endsAt, nonce)}.${sealOf(deps, endsAt, nonce)}`
  const secure = deps.isReachedByHttps === true ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${KNOWN_SECONDS}; HttpOnly; SameSite=Strict${secure}`
  ctx.append('Set-Cookie', `${nameOf(deps, person)}=${value}; ${attributes}`)
}

/**
 * Any browser in which somebody has signed in, whoever and with whatever password since: what it asks for without a session
 * does not fail by what others ask behind the same address.
 */
export function knownBrowsers(deps: Deps): Spares {
  return (ctx) => {
    const cookies = [...ctx.get('Cookie').matchAll(ANY_COOKIE)].slice(0, ACCOUNTS_MAX)
    const known = cookies.find(
      ([, endsAt = '', nonce = '', seal = '']) =>
        deps.vault.isSameHash(seal, sealOf(deps, endsAt, nonce)) && isLasting(deps, endsAt),
    )
    return known === undefined ? null : `browser ${known[2]}`
  }
}

function isLasting({ clock }: Deps, endsAt: string): boolean {
  return Number(endsAt) * 1000 > clock.now().getTime()
}

function sealOf({ vault }: Deps, endsAt: string, nonce: string): string {
  return vault.hashRequest(JSON.stringify(['browser', endsAt, nonce]))
}

/** One for each account, since colleagues share browsers; the name tells nothing of the account. */
function nameOf({ vault, isReachedByHttps = false }: Deps, { id }: Person): string {
  return `${isReachedByHttps ? '__Host-' : ''}holdfast_known_${vault.hashRequest(`known browser ${id}`).slice(0, 16)}`
}

function markOf({ vault }: Deps, { id, passwordHash }: Person, endsAt: string, nonce: string): string {
  return vault.hashRequest(JSON.stringify(['known browser', id, passwordHash, endsAt, nonce]))
}
