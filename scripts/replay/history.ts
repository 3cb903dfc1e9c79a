import type { Payload } from '@temporalio/common'
import { UsageError } from '../../src/processes/command-line.ts'
import { decryptPayload } from '../../src/temporal/payload-codec.ts'
import type { Keys } from '../../src/vault/keys.ts'

/** An event in the JSON form of its protocol buffer, as the UI, the command line and the SDK write it. */
export interface HistoryEvent {
  eventId: string
  eventTime: string
  eventType: string
  userMetadata?: { summary?: JsonPayload }
  [attributes: `${string}EventAttributes`]: Record<string, unknown> | undefined
}

export interface JsonPayload {
  metadata?: Record<string, string>
  data?: string
}

export interface History {
  events: HistoryEvent[]
}

/** A history that cannot be replayed, and why: for the person at the terminal. */
export class UnusableHistory extends UsageError {}

/**
 * Reads what the UI downloads, `temporal workflow show --output json` prints or `npm run record-histories` keeps.
 *
 * @throws UnusableHistory for anything else.
 */
export function parseHistory(text: string, file: string): History {
  const parsed = parseJson(text)
  const events = Array.isArray(parsed) ? parsed : (parsed as { events?: unknown } | null)?.events
  if (!Array.isArray(events) || events.length === 0 || !events.every(isEvent))
    throw new UnusableHistory(`${file} is no history: it has no list of events in JSON.`)
  const [first] = events
  if (first?.workflowExecutionStartedEventAttributes === undefined)
    throw new UnusableHistory(`${file} is not a whole history: it does not begin with the start of the workflow.`)
  const { input } = first.workflowExecutionStartedEventAttributes as { input?: { payloads?: JsonPayload[] } }
  const isEncoded = ({ metadata, data }: JsonPayload) =>
    typeof metadata?.encoding === 'string' && typeof (data ?? '') === 'string'
  if (!(input?.payloads ?? []).every(isEncoded))
    throw new UnusableHistory(
      `${file} has decoded payloads, which cannot be replayed. Download it without decoding them.`,
    )
  return { events: events.map((event) => ({ ...event, eventId: String(event.eventId) })) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isEvent(value: unknown): value is HistoryEvent {
  const { eventId } = (value ?? {}) as Partial<HistoryEvent>
  return typeof eventId === 'string' || typeof eventId === 'number'
}

/** The workflow's id; older servers do not write it into the history. */
export function workflowIdIn({ events }: History): string | undefined {
  return events[0]?.workflowExecutionStartedEventAttributes?.workflowId as string | undefined
}

/**
 * Makes sure that every payload can be decrypted, so that a missing key is not mistaken for a difference of the code.
 *
 * @throws UnusableHistory naming the event and the reason.
 */
export function checkPayloads({ events }: History, keys: Pick<Keys, 'payload'>, workflowId: string): void {
  for (const event of events) {
    for (const payload of payloadsIn(event)) {
      try {
        decryptPayload(keys, fromJson(payload), { workflowId })
      } catch (error) {
        throw new UnusableHistory(`Event ${event.eventId} cannot be decrypted. ${(error as Error).message}`)
      }
    }
  }
}

/** The text of a payload that holds one, such as a summary; null where it is absent. */
export function textIn(payload: JsonPayload | undefined, keys: Pick<Keys, 'payload'>): string | null {
  if (payload === undefined) return null
  const { data } = decryptPayload(keys, fromJson(payload))
  return String(parseJson(Buffer.from(data ?? []).toString()))
}

function payloadsIn(value: unknown): JsonPayload[] {
  if (typeof value !== 'object' || value === null) return []
  const { metadata } = value as JsonPayload
  if (typeof metadata === 'object' && typeof metadata?.encoding === 'string') return [value as JsonPayload]
  return Object.values(value).flatMap(payloadsIn)
}

function fromJson({ metadata = {}, data = '' }: JsonPayload): Payload {
  const entries = Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')] as const)
  return { metadata: Object.fromEntries(entries), data: Buffer.from(data, 'base64') }
}
