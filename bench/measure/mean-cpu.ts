import type { Costs, Role } from './costs.ts'

/** The mean of what repeats took, role by role. */
export function meanCpu(repeats: readonly Costs['cpuMs'][]): Costs['cpuMs'] {
  const roles = [...new Set(repeats.flatMap((cpuMs) => Object.keys(cpuMs) as Role[]))]
  return Object.fromEntries(
    roles.map((role) => [role, repeats.reduce((sum, cpuMs) => sum + (cpuMs[role] ?? 0), 0) / repeats.length]),
  )
}
