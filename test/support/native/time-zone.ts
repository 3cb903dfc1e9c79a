import { createHash } from 'node:crypto'
import { relative, sep } from 'node:path'

/** Behind UTC by an odd half hour, where a day that begins at midnight UTC is still the day before. */
const BEHIND = 'America/St_Johns'
/** Ahead of UTC by an odd quarter of an hour, where an evening in UTC is the next day. */
export const AHEAD = 'Pacific/Chatham'

/** Whole stories run as in production, in UTC. */
const AS_IN_PRODUCTION = 'test/journeys/'

/**
 * The time zone of a test file, the same on every machine: whatever reads or prints an instant in local time fails in both of
 * the zones other than UTC.
 */
export function timeZoneOf(root: string, path: string): string {
  const name = relative(root, path).split(sep).join('/')
  if (name.startsWith(AS_IN_PRODUCTION)) return 'UTC'
  return createHash('md5').update(name).digest().readUInt8(0) % 2 === 0 ? BEHIND : AHEAD
}
