import { randomText } from '../../../domain/identifiers.ts'
import type { PersonRow } from '../../persistence/entities/person.ts'
import type { ApiContext } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'

/** A browser stays known from one half year to the next, and as long as the password stays. */
const KNOWN_SECONDS = 180 * 24 * 60 * 60

type Deps = Pick<AppDeps, 'vault' | 'randomBytes' | 'clock' | 'isReachedByHttps'>
type Person = Pick<PersonRow, 'id' | 'email' | 'passwordHash'>

/** Epoch seconds, 190 random bits, and what only the service can make of both. */
const VALUE = /^(\d{1,12})\.([0-9A-Za-z]{32})\.([0-9a-f]{64})$/

/**
 * Whether the browser has signed in to the account before, by a signed cookie that it was given then: tries to guess the
 * password in other browsers do not keep it out. It opens nothing.
 */
export function isKnownBrowser(deps: Deps, ctx: ApiContext, person: Person | null): boolean {
  if (person === null) return false
  const [, endsAt = '', nonce = '', mark = ''] = VALUE.exec(ctx.cookies.get(nameOf(deps, person)) ?? '') ?? []
  const isLasting = Number(endsAt) * 1000 > deps.clock.now().getTime()
  return deps.vault.isSameHash(mark, markOf(deps, person, endsAt, nonce)) && isLasting
}

/** Has the browser of a person who has signed in be known from now on. */
export function rememberBrowser(deps: Deps, ctx: ApiContext, person: Person): void {
  const endsAt = String(Math.floor(deps.clock.now().getTime() / 1000) + KNOWN_SECONDS)
  const nonce = randomText(deps.randomBytes)
  const value = `${endsAt}.${nonce}.${markOf(deps, person, endsAt, nonce)}`
  const secure = deps.isReachedByHttps === true ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${KNOWN_SECONDS}; HttpOnly; SameSite=Strict${secure}`
  ctx.append('Set-Cookie', `${nameOf(deps, person)}=${value}; ${attributes}`)
}

/** One for each account, since colleagues share browsers; the name tells nothing of the account. */
function nameOf({ vault, isReachedByHttps = false }: Deps, { id }: Person): string {
  return `${isReachedByHttps ? '__Host-' : ''}holdfast_known_${vault.hashRequest(`known browser ${id}`).slice(0, 16)}`
}

function markOf({ vault }: Deps, { id, passwordHash }: Person, endsAt: string, nonce: string): string {
  return vault.hashRequest(JSON.stringify(['known browser', id, passwordHash, endsAt, nonce]))
}
