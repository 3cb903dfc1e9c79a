import type { CommittedDelivery, CommittedEvent } from './books.ts'
import type { Arrival } from './receivers.ts'
import type { Endpoint } from './shops.ts'

export interface Evidence {
  events: readonly CommittedEvent[]
  deliveries: readonly CommittedDelivery[]
  endpoints: readonly Endpoint[]
  /** What the invoice of this name was created with. */
  ownUrlOf(invoiceName: string): string | null
  arrivals: readonly Arrival[]
}

export interface WebhookFindings {
  /** Sentences about what must not be; empty where all is well. */
  faults: string[]
  expected: number
  /** Webhooks that arrived, and those of them that were accepted. */
  arrived: number
  accepted: number
  /** Accepted ones whose target had accepted the same before. */
  duplicates: number
  attempts: number
  /** From each event to its first acceptance at each target, in ms, ascending. */
  delaysMs: number[]
  /** The one that took the longest; null where nothing was accepted. */
  slowest: string | null
}

interface Target {
  event: CommittedEvent
  endpointId: string | null
  url: string
  /** What the header `webhook-id` must be. */
  messageId: string
  arrivals: number
  acceptedAt: number[]
}

/** The part of it that is about some of the events. What arrived of an event that nobody has fired counts by its arrival. */
export function about(evidence: Evidence, isWanted: (at: number) => boolean): Evidence {
  const { events, deliveries, arrivals } = evidence
  const firedAt = new Map(events.map((event) => [event.id, event.firedAt]))
  return {
    ...evidence,
    events: events.filter((event) => isWanted(event.firedAt)),
    deliveries: deliveries.filter(({ eventId }) => isWanted(firedAt.get(eventId) ?? 0)),
    arrivals: arrivals.filter(({ messageId, at }) => isWanted(firedAt.get(messageId.split('-')[0] ?? '') ?? at)),
  }
}

/**
 * Compares what was committed with what arrived. Who is to receive an event is worked out anew here, from what the shops
 * registered and asked for, and not taken from the deliveries of the service.
 */
export function auditWebhooks(evidence: Evidence): WebhookFindings {
  const { events, deliveries, arrivals } = evidence
  const targets = new Map<string, Target>()
  for (const event of events) {
    for (const target of targetsOf(event, evidence)) targets.set(keyOf(target.messageId, target.url), target)
  }
  const faults = [
    ...arrivals.flatMap((arrival) => faultsOfArrival(arrival, targets.get(keyOf(arrival.messageId, arrival.url)))),
    ...faultsOfDeliveries(deliveries, targets),
  ]
  const all = [...targets.values()]
  for (const { event, url, acceptedAt } of all) {
    if (acceptedAt.length === 0) faults.push(`${event.name} ${event.id} has never been accepted at ${url}`)
  }
  const accepted = all.reduce((sum, { acceptedAt }) => sum + acceptedAt.length, 0)
  const reached = all
    .filter(({ acceptedAt }) => acceptedAt.length > 0)
    .sort((one, other) => delayOf(one) - delayOf(other))
  const last = reached.at(-1)
  return {
    faults,
    expected: all.length,
    arrived: arrivals.length,
    accepted,
    duplicates: accepted - reached.length,
    attempts: deliveries.reduce((sum, { attempts }) => sum + attempts, 0),
    delaysMs: reached.map(delayOf),
    slowest: last === undefined ? null : describe(last, deliveries),
  }
}

function describe({ event, endpointId, messageId, arrivals }: Target, deliveries: Evidence['deliveries']): string {
  const delivery = deliveries.find((one) => one.eventId === event.id && one.endpointId === endpointId)
  return `${event.name} ${messageId}: ${delivery?.attempts} attempts on record, ${arrivals} arrivals`
}

function delayOf({ event, acceptedAt }: Target): number {
  return Math.min(...acceptedAt) - event.firedAt
}

/** Every endpoint of the project that receives and takes it, and the URL of the invoice, unless that is one of these. */
function targetsOf(event: CommittedEvent, { endpoints, ownUrlOf }: Evidence): Target[] {
  const { id, projectId, name, invoiceName } = event
  const taking = endpoints.filter(
    (one) => one.receives && one.projectId === projectId && (one.whitelist === null || one.whitelist.includes(name)),
  )
  const ownUrl = invoiceName === null ? null : ownUrlOf(invoiceName)
  const isOwn = ownUrl !== null && !taking.some(({ url }) => url === ownUrl)
  return [
    ...taking.map((one) => ({
      event,
      endpointId: one.id,
      url: one.url,
      messageId: `${id}-${one.id}`,
      arrivals: 0,
      acceptedAt: [],
    })),
    ...(isOwn ? [{ event, endpointId: null, url: ownUrl, messageId: id, arrivals: 0, acceptedAt: [] }] : []),
  ]
}

function keyOf(messageId: string, url: string): string {
  return `${messageId} ${url}`
}

/** Counts what was accepted, on the way. */
function faultsOfArrival(arrival: Evidence['arrivals'][number], target: Target | undefined): string[] {
  const { at, method, url, messageId, contentType, body, signature, answer } = arrival
  const what = `${messageId} at ${url}`
  if (target === undefined) return [`${what} was not meant for there: ${body}`]
  target.arrivals += 1
  if (answer !== null && answer >= 200 && answer <= 299) target.acceptedAt.push(at)
  const wanted = JSON.stringify({ event_id: target.event.id, event_type: target.event.name })
  const wantedSignature = target.endpointId === null ? 'absent' : 'valid'
  // Sent again with another time, it is no fault; and if it was not, that is one.
  const isSigned = signature === wantedSignature || signature === 'of another time'
  return [
    ...(method === 'POST' ? [] : [`${what} came as ${method}`]),
    ...(contentType === 'application/json' ? [] : [`${what} has the content type ${contentType}`]),
    ...(body === wanted ? [] : [`${what} has the body ${body} instead of ${wanted}`]),
    ...(isSigned ? [] : [`${what} has a signature that is ${signature}, not ${wantedSignature}`]),
  ]
}

function faultsOfDeliveries(deliveries: readonly CommittedDelivery[], targets: ReadonlyMap<string, Target>): string[] {
  const recorded = new Set<string>()
  const faults = deliveries.flatMap(({ eventId, endpointId, url, status }) => {
    const key = keyOf(endpointId === null ? eventId : `${eventId}-${endpointId}`, url)
    recorded.add(key)
    if (!targets.has(key)) return [`The record has a delivery of ${eventId} to ${url}, which is none of its targets`]
    return status === 'delivered' ? [] : [`The delivery of ${eventId} to ${url} is ${status}`]
  })
  const missing = [...targets].filter(([key]) => !recorded.has(key))
  return [...faults, ...missing.map(([key]) => `The record has no delivery ${key}`)]
}
