import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from '@jest/globals'
import { freePort } from '../../../src/embedded/ports.ts'
import { saySkipped } from '../../gateways/skipped.ts'
import { freePorts, testCli } from '../../journeys/launched.ts'
import { waitFor } from '../../support/wait-for.ts'
import { PROGRAMS, ROOT } from './environment.ts'
import { blocksOf, readGuide } from './guide.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const isRepository = existsSync(join(ROOT, '.git')) && spawnSync('git', ['--version']).status === 0
if (!isRepository) saySkipped('the quickstart from a clone', 'this is no clone of a repository, or there is no git')
const describeOrSkip = isRepository ? describe : describe.skip

/** What git would bring along if everything were committed: files that are changed, new or gone are so in the clone. */
function bringAlongWhatIsNotCommitted(clone: string): void {
  const list = (...options: string[]) =>
    execFileSync('git', ['ls-files', '-z', ...options], { cwd: ROOT, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean)
  for (const name of list('--modified', '--others', '--exclude-standard')) {
    if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(clone, name), { recursive: true })
    else rmSync(join(clone, name), { force: true })
  }
}

describeOrSkip('the quickstart, from a clone to a verified webhook', () => {
  let folder: string
  let first: Terminal
  let second: Terminal

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-quickstart-'))
    // The user that runs PostgreSQL for root must be able to pass through.
    await chmod(folder, 0o711)
  })
  afterAll(async () => {
    await second?.close()
    await first?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is what its lines make of a plain clone', async () => {
    const [start, ready, ...rest] = blocksOf(readGuide('quickstart.md'))
    const ports = await freePorts()
    const receiver = String(await freePort())
    const replacing = {
      REPOSITORY: ROOT,
      '127.0.0.1:3000': `127.0.0.1:${ports.PORT}`,
      '127.0.0.1:4242': `127.0.0.1:${receiver}`,
      'port 4242': `port ${receiver}`,
    }
    first = openTerminal(folder, { ...PROGRAMS, ...ports, TEMPORAL_CLI_PATH: await testCli() })
    const [, clone = '', run = ''] = /^(git clone .*\ncd .*\n)(npm start\n)$/.exec(start?.code ?? '') ?? []
    await first.follow([{ heading: '', language: 'sh', code: clone }], { replacing })
    const cloned = join(folder, 'holdfast')
    bringAlongWhatIsNotCommitted(cloned)
    // The packages are those of this checkout: that npm installs them is tried elsewhere, and takes a minute.
    symlinkSync(join(ROOT, 'node_modules'), join(cloned, 'node_modules'))
    const started = first.run(run)
    await Promise.race([started, waitFor(() => first.output().includes('Take a payment'))])
    await first.follow(ready === undefined ? [] : [ready], { replacing })

    second = openTerminal(cloned, { ...PROGRAMS, RECEIVER_PORT: receiver })
    await second.follow(rest, { replacing })
  })
})
