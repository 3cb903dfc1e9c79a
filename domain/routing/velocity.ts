import type { Condition, Velocity, VelocityPath } from './condition.ts'
import { VELOCITY_SECONDS_MAX } from './limits.ts'

/** A count of earlier payments that a rule set needs. */
export interface VelocityNeed {
  /** Its key in `RoutingFacts.velocities`. */
  key: string
  path: VelocityPath
  intervalSeconds: number
}

/** A payment's values by which it is counted; null if missing. */
export type VelocityValues = Readonly<Record<VelocityPath, string | null>>

const INTERVAL = /^([1-9]\d{0,5})([smhd])$/
const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 24 * 3600 }

/** The seconds of an interval such as `30s`, `15m`, `1h` or `7d`; null for another format, or if it is too long. */
export function intervalSeconds(interval: string): number | null {
  const [, count, unit] = INTERVAL.exec(interval) ?? []
  if (count === undefined || unit === undefined) return null
  const seconds = Number(count) * (SECONDS_OF[unit] ?? 0)
  return seconds <= VELOCITY_SECONDS_MAX ? seconds : null
}

/** @throws RangeError for an interval that `intervalSeconds` refuses. */
export function velocityNeed({ path, interval }: Velocity): VelocityNeed {
  const seconds = intervalSeconds(interval)
  if (seconds === null) throw new RangeError(`Not an interval: ${interval}`)
  return { key: `${path}/${seconds}`, path, intervalSeconds: seconds }
}

/** The counts that conditions need, without duplicates, so that one query can fetch them. */
export function findVelocities(conditions: readonly (Condition | null)[]): VelocityNeed[] {
  const needs = conditions.flatMap((condition) => (condition === null ? [] : needsIn(condition)))
  return [...new Map(needs.map((need) => [need.key, need])).values()]
}

function needsIn(condition: Condition): VelocityNeed[] {
  switch (condition.kind) {
    case 'comparison':
      return condition.operand.kind === 'velocity' ? [velocityNeed(condition.operand)] : []
    case 'not':
      return needsIn(condition.condition)
    default:
      return condition.conditions.flatMap(needsIn)
  }
}
