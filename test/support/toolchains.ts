import { spawnSync } from 'node:child_process'

/** Why Go of this minor version or a later one cannot be had here; null if it can. */
export function whyNoGo(minorMin: number): string | null {
  const { stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' })
  const [, minor = '0'] = /^go1\.(\d+)/.exec(stdout ?? '') ?? []
  return Number(minor) >= minorMin ? null : `there is no Go 1.${minorMin} or later`
}
