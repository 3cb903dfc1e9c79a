import { spawnSync } from 'node:child_process'

/** Why Go of this minor version or a later one cannot be had here; null if it can. */
export function whyNoGo(minorMin: number): string | null {
  const { stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' })
  const [, minor = '0'] = /^go1\.(\d+)/.exec(stdout ?? '') ?? []
  return Number(minor) >= minorMin ? null : `there is no Go 1.${minorMin} or later`
}

/** The same for Python 3, which must be able to make an environment: Debian has venv and pip in packages of their own. */
export function whyNoPython(minorMin: number): string | null {
  const code = `import pip, sys, venv; sys.exit(sys.version_info < (3, ${minorMin}))`
  return spawnSync('python3', ['-c', code]).status === 0
    ? null
    : `there is no Python 3.${minorMin} or later with venv and pip`
}
