/**
 * Runs of webhook workflows that this process has seen begin or has started, with the instant in epoch ms, by `runKey`, for
 * the five minutes in which the sweep would take them for lost. Their first attempts may wait for a place, and until one is
 * on record nothing else tells that somebody looks after them. What is delivered at once does not come here.
 */
export type RunsLately = Map<string, number>

export function runKey({ eventId, run }: { eventId: string; run: number }): string {
  return `${eventId} ${run}`
}
