/**
 * A change of what a workflow asks Temporal for, in another order or for something else, which runs that were begun before
 * must not see. CONTRIBUTING.md says how one comes and goes.
 */
interface Patch {
  /** As histories keep it. */
  id: string
  /** What it changes. */
  changes: string
  /** The release that has it first. */
  since: string
  /** The day from which no run from before it is open, so that its old branch can go: `2027-01-31`. */
  removableFrom: string
}

/**
 * Every patch in use, by the name that workflows call it by: `patched(PATCHES.example.id)`. A test finds calls that are not
 * in here, entries that nothing calls, and those that are due to be removed.
 */
export const PATCHES = {} as const satisfies Record<string, Patch>
