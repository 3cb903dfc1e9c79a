/**
 * Runs of webhook workflows that this process has seen or started, with the instant in epoch ms, by `runKey`. Those of which
 * nothing is on record yet belong here: nobody else can tell from it that somebody looks after them.
 */
export type RunsLately = Map<string, number>

export function runKey({ eventId, run }: { eventId: string; run: number }): string {
  return `${eventId} ${run}`
}
