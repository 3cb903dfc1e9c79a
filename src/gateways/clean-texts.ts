import type { LookUp, Outcome } from '../../domain/operation.ts'
import { changeCalls } from './around-calls.ts'
import type { Gateway } from './gateway.ts'

/** Longer than any gateway's id or code, and short enough for an index. */
export const TEXT_LENGTH_MAX = 255

/** NUL, which PostgreSQL does not store, and the other control characters of ASCII and Latin-1, which no id contains. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/g

/** Removes the control characters and lone surrogates that PostgreSQL refuses. */
function cleanText(text: string): string {
  return text.replace(CONTROL_CHARACTERS, '').toWellFormed()
}

export function cleanTexts<T>(value: T): T {
  return mapTexts(value, cleanText) as T
}

/**
 * The same gateway with storable texts in its answers: an approval that cannot be written would be lost. This covers all
 * adapters.
 */
export function withCleanTexts(gateway: Gateway): Gateway {
  const { endAuthentication, listSettlements, listOperations, testConnection } = gateway
  return {
    ...changeCalls(gateway, (ask) => async (request, signal) => cleanOutcome(await ask(request, signal))),
    lookUp: async (request, signal) => cleanLookUp(await gateway.lookUp(request, signal)),
    ...(endAuthentication && {
      endAuthentication: async (request, signal) => cleanLookUp(await endAuthentication(request, signal)),
    }),
    ...(listSettlements && {
      listSettlements: async (request, signal) => clipTexts(await listSettlements(request, signal)),
    }),
    ...(listOperations && {
      listOperations: async (request, signal) => clipTexts(await listOperations(request, signal)),
    }),
    ...(testConnection && {
      testConnection: async (access, signal) => clipTexts(await testConnection(access, signal)),
    }),
  }
}

function cleanLookUp(found: LookUp): LookUp {
  return found.kind === 'found' ? { kind: 'found', outcome: cleanOutcome(found.outcome) } : clipTexts(found)
}

/** A storable outcome: texts fit columns and indices, and an invalid instant is dropped. */
export function cleanOutcome(outcome: Outcome): Outcome {
  // Addresses and the data of native libraries are longer than ids.
  if (outcome.kind === 'action-required') return cleanTexts(outcome)
  if (outcome.kind !== 'declined' || isInstant(outcome.retryAfter)) return clipTexts(outcome)
  const { retryAfter: _, ...rest } = outcome
  return clipTexts(rest)
}

/** The last instant of both JavaScript's dates and PostgreSQL's timestamps. */
const LAST_INSTANT = Date.UTC(9999, 11, 31)

function isInstant(instant: number | undefined): boolean {
  return instant === undefined || (Number.isSafeInteger(instant) && 0 <= instant && instant <= LAST_INSTANT)
}

function clipTexts<T>(value: T): T {
  // A cut may split a character outside the basic plane and leave a lone surrogate, so the text is cleaned again.
  return mapTexts(value, (text) => cleanText(cleanText(text).slice(0, TEXT_LENGTH_MAX))) as T
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapTexts(part, change)]))
}
