import { z } from 'zod'
import { type LookUp, notSent, type Outcome } from '../../../domain/operation.ts'
import { type Account, type Line, reasonOf, UNHEARD_OF } from './line.ts'
import { readOutcome } from './log.ts'
import { isLoopbackUrl } from './settings.ts'
import { bodyOf, HEADERS, OPERATIONS_PATH, PATHS } from './wire.ts'

/** Failures of a connection that happen before a byte of the request has left. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
])

const OK = 200
const BAD_REQUEST = 400
const NOT_FOUND = 404

const foundSchema = z.object({ kind: z.literal('found'), outcome: z.unknown() })
const neverSeenSchema = z.object({ kind: z.literal('never-seen') })

interface Answer {
  status: number
  /** Undefined where the body is no JSON. */
  body: unknown
}

/**
 * The simulator over HTTP, so that everything that can happen to a connection can happen to it.
 *
 * @throws TypeError where the address is not one of this machine.
 */
export function createHttpLine(baseUrl: string): Line {
  if (!isLoopbackUrl(baseUrl)) throw new TypeError('The simulator is asked on this machine only.')

  const ask = async (path: string, init: RequestInit & { signal: AbortSignal }): Promise<Answer> => {
    // Following a redirect would send the card to an address that nobody has chosen.
    const answer = await fetch(new URL(path, baseUrl), { ...init, redirect: 'manual' })
    return { status: answer.status, body: parse(await answer.text()) }
  }

  return {
    async send(call, { fault, ...account }, signal) {
      const headers = {
        'content-type': 'application/json',
        ...settingsHeader(account),
        ...(fault !== null && { [HEADERS.fault]: fault }),
      }
      try {
        const body = JSON.stringify(bodyOf(call))
        return outcomeIn(await ask(PATHS[call.type], { method: 'POST', headers, body, signal }))
      } catch (error) {
        const code = codeBeforeSending(error)
        return code === null ? { kind: 'unknown', reason: lossOf(error) } : notSent(code)
      }
    },

    async lookUp({ reference, type }, account, signal) {
      const path = `${OPERATIONS_PATH}${encodeURIComponent(reference)}?type=${type}`
      try {
        return foundIn(await ask(path, { headers: settingsHeader(account), signal }))
      } catch (error) {
        return { kind: 'unreachable', reason: lossOf(error) }
      }
    },
  }
}

function settingsHeader({ settings }: Pick<Account, 'settings'>): Record<string, string> {
  return Object.keys(settings).length === 0 ? {} : { [HEADERS.settings]: JSON.stringify(settings) }
}

/** An approval is believed with its own status only; whatever the interface does not document is unknown. */
function outcomeIn({ status, body }: Answer): Outcome {
  if (status === BAD_REQUEST) return { kind: 'declined', code: 'gateway.validation-error', gatewayCode: 'BAD_REQUEST' }
  const outcome = readOutcome(body)
  return outcome.kind === 'approved' && status !== OK ? UNHEARD_OF : outcome
}

/** A server that is no simulator may answer 404, too; only the simulator's own word says that it never saw a reference. */
function foundIn({ status, body }: Answer): LookUp {
  if (status === NOT_FOUND && neverSeenSchema.safeParse(body).success) return { kind: 'never-seen' }
  const found = foundSchema.safeParse(body)
  const outcome = status === OK && found.success ? readOutcome(found.data.outcome) : UNHEARD_OF
  return outcome.kind === 'unknown' ? { kind: 'unreachable', reason: outcome.reason } : { kind: 'found', outcome }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The code of a failure after which nothing can have arrived; null for every other one. */
function codeBeforeSending(error: unknown): string | null {
  const codes = codesOf(causeOf(error))
  const [first] = codes
  return first !== undefined && codes.every((code) => BEFORE_SENDING.has(code)) ? first : null
}

/** A name with several addresses fails with one error for each. */
function codesOf(failure: unknown): string[] {
  if (typeof failure !== 'object' || failure === null) return []
  if ('errors' in failure && Array.isArray(failure.errors)) return failure.errors.flatMap(codesOf)
  return ['code' in failure ? String(failure.code) : '']
}

/** What `fetch` failed from, which says more than that it failed. */
function lossOf(error: unknown): string {
  return reasonOf(causeOf(error) ?? error)
}

function causeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined
}
