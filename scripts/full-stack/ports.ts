import { isPortFree } from '../../src/embedded/ports.ts'

/**
 * Temporal keeps the ports of its services in a smallint, which ends at 32767; up to there they are no ports that systems
 * hand out by themselves either. Below 10000 are those of well-known programs.
 */
const RANGE = { from: 10_000, to: 32_767 } as const

/** Random ones that are free now, so that two runs at once do not try the same; nothing reserves them. */
export async function findPorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = RANGE.from + Math.floor(Math.random() * (RANGE.to - RANGE.from + 1))
    if (await isPortFree(port)) ports.add(port)
  }
  return [...ports]
}
