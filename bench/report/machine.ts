import { cpus, loadavg, release, totalmem, type } from 'node:os'

/** What the figures were measured on. */
export interface Machine {
  cpu: string
  cores: number
  memoryGiB: number
  system: string
  node: string
  /** Of the last minute before anything was measured: what other programs were doing. */
  loadBefore: number
}

export function describeMachine(): Machine {
  const processors = cpus()
  return {
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
  }
}
