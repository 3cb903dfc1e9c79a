import type { Line } from './npm-start.ts'

/** What a start is made of, each until one of these lines is printed; of several, until the last. */
const PHASES = {
  'npm, and its look at the packages': [/^> \S+ start$/],
  'loading the code': [/^Starting Holdfast/],
  'PostgreSQL and Temporal': [/^ {2}PostgreSQL \d+ runs/, /^ {2}Temporal runs/],
  'the tables': [/^ {2}(The database is up to date|Migrated the database)/],
  'API and workers': [/^Holdfast is ready/],
} as const

export type Phase = keyof typeof PHASES

export const PHASE_NAMES = Object.keys(PHASES) as Phase[]

/**
 * Pure: how long each part of a start took, in milliseconds.
 *
 * @throws Error where a line is not there, because it is worded differently now.
 */
export function phasesOf(lines: readonly Line[]): Record<Phase, number> {
  let begun = 0
  const taken = PHASE_NAMES.map((phase) => {
    const ends = PHASES[phase].map((pattern) => {
      const line = lines.find(({ text }) => pattern.test(text))
      if (line === undefined) throw new Error(`npm start has printed no line like ${pattern}.`)
      return line.at
    })
    const end = Math.max(...ends)
    const took = end - begun
    begun = end
    return [phase, took]
  })
  return Object.fromEntries(taken) as Record<Phase, number>
}
