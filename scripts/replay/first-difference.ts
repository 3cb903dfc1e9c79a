import type { Keys } from '../../src/vault/keys.ts'
import { type History, type HistoryEvent, type JsonPayload, textIn } from './history.ts'
import type { Asked } from './recorder.ts'

/** Where the history and the code part, in words. */
export interface Difference {
  /** Null where the history has ended and the code goes on. */
  event: HistoryEvent | null
  inHistory: string
  inCode: string
}

/** Written by the SDK for each local activity, in clear. */
const LOCAL_ACTIVITY = 'core_local_activity'

/**
 * Compares what the history says the workflow asked for with what the code asks for now. Activities and timers are numbered
 * in the order in which the workflow asks for them, also where they end in another order.
 *
 * @param asked what the code asked for until its replay failed.
 * @returns null where nothing of this differs: then only Temporal's own message tells.
 */
export function firstDifference(
  { events }: History,
  asked: readonly Asked[],
  keys: Pick<Keys, 'payload'>,
): Difference | null {
  const inHistory = events.flatMap((event) => askedIn(event).map((one) => ({ event, one })))
  for (const [index, { event, one }] of inHistory.entries()) {
    const now = asked.find((candidate) => isSamePlace(candidate, one))
    if (now !== undefined && isSame(now, one)) continue
    const instead =
      now ?? asked.find((candidate) => !inHistory.slice(0, index + 1).some((past) => isSamePlace(past.one, candidate)))
    return {
      event,
      inHistory: `${describe(one)}${summaryOf(event, keys)}`,
      inCode: instead === undefined ? 'asks for nothing here' : describeNow(instead),
    }
  }
  const more = asked.find((candidate) => !inHistory.some(({ one }) => isSamePlace(one, candidate)))
  if (more === undefined) return null
  return { event: null, inHistory: 'nothing more', inCode: describeNow(more) }
}

/** What a workflow asked for, as its history has it. */
function askedIn(event: HistoryEvent): Asked[] {
  const scheduled = event.activityTaskScheduledEventAttributes as
    | { activityId: string; activityType: { name: string } }
    | undefined
  if (scheduled !== undefined)
    return [{ kind: 'activity', seq: Number(scheduled.activityId), name: scheduled.activityType.name, isLocal: false }]
  const timer = event.timerStartedEventAttributes as { timerId: string; startToFireTimeout: string } | undefined
  if (timer !== undefined)
    return [
      { kind: 'timer', seq: Number(timer.timerId), milliseconds: Number.parseFloat(timer.startToFireTimeout) * 1000 },
    ]
  if (event.workflowExecutionCompletedEventAttributes !== undefined) return [{ kind: 'end', how: 'completes' }]
  if (event.workflowExecutionContinuedAsNewEventAttributes !== undefined)
    return [{ kind: 'end', how: 'continues as a new run' }]
  const marker = event.markerRecordedEventAttributes as
    | { markerName: string; details: { data: { payloads: [JsonPayload] } } }
    | undefined
  if (marker?.markerName !== LOCAL_ACTIVITY) return []
  const { data = '' } = marker.details.data.payloads[0]
  const { seq, activity_type: name } = JSON.parse(Buffer.from(data, 'base64').toString())
  return [{ kind: 'activity', seq, name, isLocal: true }]
}

function isSamePlace(one: Asked, other: Asked): boolean {
  if (one.kind === 'end' || other.kind === 'end') return one.kind === other.kind
  return one.kind === other.kind && one.seq === other.seq
}

/** Temporal does not compare how long a timer is, so that a time may be changed. */
function isSame(one: Asked, other: Asked): boolean {
  if (one.kind === 'activity' && other.kind === 'activity')
    return one.name === other.name && one.isLocal === other.isLocal
  if (one.kind === 'end' && other.kind === 'end') return one.how === other.how
  return one.kind === other.kind
}

function describe(asked: Asked): string {
  if (asked.kind === 'activity') return `${asked.isLocal ? 'the local activity' : 'the activity'} ${asked.name}`
  if (asked.kind === 'timer') return `a timer of ${duration(asked.milliseconds)}`
  return `that the run ${asked.how}`
}

function describeNow(asked: Asked): string {
  return asked.kind === 'end' ? asked.how : `asks for ${describe(asked)}`
}

function summaryOf({ userMetadata }: HistoryEvent, keys: Pick<Keys, 'payload'>): string {
  const summary = textIn(userMetadata?.summary, keys)
  return summary === null ? '' : ` ("${summary}")`
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** In the largest unit that fits, such as "6 days" for the time between an authorization and the notice of its end. */
function duration(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => milliseconds >= length * 0.999) ?? (['millisecond', 1] as const)
  const count = Math.round((milliseconds / length) * 10) / 10
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
