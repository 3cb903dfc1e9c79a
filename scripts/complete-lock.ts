/**
 * Adds to package-lock.json the optional platform packages that npm left out.
 *
 * npm drops an optional package from the lock file when the registry it talks to cannot serve it, and then
 * `npm ci` refuses the lock file as out of step with its own manifests. Naming each platform package with its
 * version, operating system and processor keeps one lock file true on every platform. Run it after changing
 * a dependency: `npm run lock`.
 */
import { readFileSync, writeFileSync } from 'node:fs'

interface LockedPackage {
  version?: string
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const OPERATING_SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'wasm32']

const path = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, LockedPackage> }

const added: string[] = []
for (const owner of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    const words = name.split('/').at(-1)?.split('-') ?? []
    const os = OPERATING_SYSTEMS.find((one) => words.includes(one))
    const cpu = PROCESSORS.find((one) => words.some((word) => word === one || (one === 'arm' && word === 'arm')))
    if (lock.packages[key] !== undefined || os === undefined || cpu === undefined) continue
    const libc = words.some((word) => word.startsWith('musl'))
      ? 'musl'
      : words.some((word) => word.startsWith('gnu'))
        ? 'glibc'
        : undefined
    lock.packages[key] = {
      version,
      ...(owner.dev === true && { dev: true }),
      optional: true,
      os: [os],
      cpu: [cpu],
      ...(libc !== undefined && { libc: [libc] }),
    }
    added.push(name)
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(
  added.length === 0 ? 'The lock file names every platform already.' : `Added ${added.length}: ${added.join(', ')}`,
)
