import { ADDRESSES_ELSEWHERE, WORDS_ELSEWHERE } from '../../../domain/names-elsewhere.ts'
import { nearestName } from '../../../domain/nearest-name.ts'
import { ApiError } from '../api-error.ts'
import type { ApiMiddleware } from '../context.ts'
import type { Endpoint } from '../endpoint.ts'

/** Answers requests that no route took: their address or method is wrong, and the nearest right one is named. */
export function unknownRoute(endpoints: readonly Pick<Endpoint, 'httpMethod' | 'path'>[]): ApiMiddleware {
  const methodsAt = Map.groupBy(endpoints, ({ path }) => path.replaceAll(/:\w+/g, '{id}'))
  const addresses = [...methodsAt.keys()]
  const takes = (address: string, method: string) =>
    methodsAt.get(address)?.some(({ httpMethod }) => httpMethod === method) === true
  return (ctx) => {
    const allowed = [...new Set((ctx.matched ?? []).flatMap(({ methods }) => methods))]
    if (allowed.length === 0) {
      const nearest = nearestAddress(withoutIds(ctx.path), addresses)
      const methods = methodsAt
        .get(nearest ?? '')
        ?.map(({ httpMethod }) => httpMethod)
        .sort()
      const message = `There is nothing at this address. Did you mean ${methods?.join(' or ')} ${nearest}?`
      throw new ApiError('request.route-not-found', nearest === undefined ? {} : message)
    }
    const headers = { Allow: [...allowed, 'OPTIONS'].sort().join(', ') }
    if (ctx.method !== 'OPTIONS') {
      const taken = allowed
        .filter((method) => method !== 'HEAD')
        .sort()
        .join(' and ')
      const meant = ADDRESSES_ELSEWHERE.get(ctx.path)?.find((address) => takes(address, ctx.method))
      const advice = meant === undefined ? '' : ` Did you mean ${ctx.method} ${meant}?`
      throw new ApiError('request.method-not-allowed', {
        message: `This address takes ${taken}, not ${ctx.method}.${advice}`,
        headers,
      })
    }
    ctx.set(headers)
    ctx.status = 204
  }
}

/**
 * The address that was probably meant: the one that other services call so, or else the most similar one, whose last word
 * says what to do and must itself be similar. It begins with the same letter, so that `unvoid` is no way to a void.
 */
function nearestAddress(path: string, addresses: readonly string[]): string | undefined {
  const meant = inOurWords(path)
  const known = meant.find((address) => addresses.includes(address)) ?? ADDRESSES_ELSEWHERE.get(meant[0] ?? '')?.at(0)
  if (known !== undefined) return known
  return [meant[0], meant.at(-1)].map((one = path) => similarAddress(one, addresses)).find((one) => one !== undefined)
}

function similarAddress(path: string, addresses: readonly string[]): string | undefined {
  const last = lastWord(path)
  const isPossible = (word: string) => word[0] === last[0] && nearestName(last, [word]) !== undefined
  return nearestName(
    path,
    addresses.filter((address) => isPossible(lastWord(address))),
  )
}

const lastWord = (address: string): string => address.slice(address.lastIndexOf('/') + 1).toLowerCase()

/** As many as the longest address has: each may have several meanings. */
const WORDS_MAX = 4

/** The path without a version, with our words in place of those of other services. */
function inOurWords(path: string): string[] {
  const words = path
    .replace(/^(?:\/api)?\/v\d+(?=\/)/, '')
    .split('/')
    .slice(1)
  if (words.length > WORDS_MAX) return [path]
  const meanings = words.map((word) => [word, ...(WORDS_ELSEWHERE.get(word.toLowerCase().replaceAll('-', '_')) ?? [])])
  return meanings.reduce((paths, names) => paths.flatMap((one) => names.map((name) => `${one}/${name}`)), [''])
}

/** An id is a prefix and a long rest, or what somebody has left in place of one, such as `{id}`, `:id` and `iv_…`. */
const withoutIds = (path: string): string =>
  path
    .split('/')
    .map((part) => (/^(?:[a-z_]+_[0-9A-Za-z]{16,}|[:{<].*|[a-z]{2,4}_\W+)$/.test(part) ? '{id}' : part))
    .join('/')
    .replace(/(?<=.)\/$/, '')
