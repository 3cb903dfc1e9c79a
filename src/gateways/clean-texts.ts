import type { LookUp, Outcome } from '../../domain/operation.ts'
import { changeCalls } from './around-calls.ts'
import type { Gateway } from './gateway.ts'

/** Longer than any id or code that a gateway makes, and short enough for an index. */
export const TEXT_LENGTH_MAX = 255

/** NUL, which PostgreSQL keeps in no text, and the other control characters of ASCII and Latin-1, which no id has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/g

/** A text of a gateway as it can be kept: without control characters and lone surrogates, which PostgreSQL refuses. */
function cleanText(text: string): string {
  return text.replace(CONTROL_CHARACTERS, '').toWellFormed()
}

export function cleanTexts<T>(value: T): T {
  return mapTexts(value, cleanText) as T
}

/**
 * The same gateway, whose answers can be kept whatever texts they hold: an approval that cannot be written would be lost.
 * The one place for all adapters.
 */
export function withCleanTexts(gateway: Gateway): Gateway {
  return {
    ...changeCalls(gateway, (ask) => async (request, signal) => cleanOutcome(await ask(request, signal))),
    lookUp: async (request, signal): Promise<LookUp> => {
      const found = await gateway.lookUp(request, signal)
      return found.kind === 'found' ? { kind: 'found', outcome: cleanOutcome(found.outcome) } : clipTexts(found)
    },
  }
}

/** An outcome that can be kept: texts as they fit into columns and indices, and no instant that is none. */
export function cleanOutcome(outcome: Outcome): Outcome {
  // An address is longer than an id, and goes into no column.
  if (outcome.kind === 'action-required') return cleanTexts(outcome)
  if (outcome.kind !== 'declined' || isInstant(outcome.retryAfter)) return clipTexts(outcome)
  const { retryAfter: _, ...rest } = outcome
  return clipTexts(rest)
}

/** The last instant that JavaScript's dates and PostgreSQL's timestamps both have. */
const LAST_INSTANT = Date.UTC(9999, 11, 31)

function isInstant(instant: number | undefined): boolean {
  return instant === undefined || (Number.isSafeInteger(instant) && 0 <= instant && instant <= LAST_INSTANT)
}

function clipTexts<T>(value: T): T {
  // A character outside the basic plane is two units: half of one that was cut is a lone surrogate.
  return mapTexts(value, (text) => cleanText(cleanText(text).slice(0, TEXT_LENGTH_MAX))) as T
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapTexts(part, change)]))
}
