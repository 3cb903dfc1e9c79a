import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { whyNoMaven } from '../../../clients/test/maven.ts'
import { cachedTools } from '../../../scripts/cached-tools.ts'
import { askDatabase } from '../../support/canary/database-rows.ts'
import { server } from '../../support/servers.ts'
import { whyNoGo, whyNoPython } from '../../support/toolchains.ts'
import { PROGRAMS, ROOT } from './environment.ts'
import { blocksOf, readGuide } from './guide.ts'
import { openTerminal } from './terminal.ts'

/** A receiver of the page: the folder of its files, and what it needs of a machine. */
export interface Receiver {
  language: string
  /** Why it cannot run here; null if it can. */
  problem(): string | null
  /** The files that say what is installed; none where nothing is. */
  lists: readonly string[]
  makeDatabase(): Promise<ReceiptDatabase>
}

interface ReceiptDatabase {
  environment: Record<string, string>
  /** How many rows there are for this invoice or event. */
  count(table: 'receipt' | 'handled_event', id: string): Promise<number>
}

export const RECEIVERS: readonly Receiver[] = [
  { language: 'Node', problem: () => null, lists: [], makeDatabase: sqlite },
  {
    language: 'Python',
    problem: () => whyNoPython(9),
    lists: ['requirements.txt'],
    makeDatabase: sqlite,
  },
  {
    language: 'Go',
    // The library is written for this version.
    problem: () => whyNoGo(21),
    lists: [],
    makeDatabase: () => postgres((url) => `${url.href}?sslmode=disable`),
  },
  {
    language: 'Java',
    problem: whyNoMaven,
    lists: ['pom.xml'],
    makeDatabase: () =>
      postgres(({ host, pathname, username, password }) => {
        return `jdbc:postgresql://${host}${pathname}?user=${username}&password=${password}`
      }),
  },
]

async function sqlite(): Promise<ReceiptDatabase> {
  const file = join(mkdtempSync(join(tmpdir(), 'holdfast-receipts-')), 'receipts.db')
  return {
    environment: { DATABASE: file },
    async count(table, id) {
      const database = new DatabaseSync(file)
      const rows = database.prepare(`select * from ${table}`).all()
      database.close()
      return rows.filter((row) => Object.values(row).includes(id)).length
    },
  }
}

/** A database of its own on the server of the run, which is removed with that. */
async function postgres(address: (url: URL) => string): Promise<ReceiptDatabase> {
  const url = new URL((await server('postgres')).url)
  url.pathname = 'postgres'
  const name = `receipts_${process.pid}_${performance.now().toFixed(0)}`
  await askDatabase(url.href, (ask) => ask(`create database ${name}`))
  url.pathname = `/${name}`
  return {
    environment: { DATABASE_URL: address(url) },
    async count(table, id) {
      const rows = await askDatabase(url.href, (ask) => ask(`select * from ${table}`))
      return rows.filter((row: object) => Object.values(row).includes(id)).length
    },
  }
}

/**
 * Starts a receiver by the lines of the page: all but the last install what it needs, once for each change of its lists, and
 * the last one runs it.
 */
export async function startReceiver(receiver: Receiver, environment: Record<string, string>) {
  const { language, lists } = receiver
  const folder = join(ROOT, 'examples/webhooks', language.toLowerCase())
  const block = blocksOf(readGuide('webhooks.md')).find(
    ({ heading, language: of }) => heading === language && of === 'sh',
  )
  const lines = (block?.code ?? '').trim().split('\n')
  const [install, start] = [lines.slice(0, -1), lines.at(-1) ?? '']
  const place = lists.length === 0 ? folder : await installed(language, folder, lists, install)
  if (place !== folder) for (const name of readdirSync(folder)) cpSync(join(folder, name), join(place, name))
  // As in a container: each part that Python prints is a write of its own.
  const terminal = openTerminal(place, { ...PROGRAMS, PYTHONUNBUFFERED: '1', ...environment })
  let ended = false
  const running = terminal.run(start).then(() => {
    ended = true
  })
  return { output: terminal.output, hasEnded: () => ended, stop: () => terminal.close().then(() => running) }
}

/** The reader's own database is another one. */
const isOfReader = (line: string) => line.startsWith('export DATABASE_URL=')

function installed(language: string, folder: string, lists: readonly string[], lines: readonly string[]) {
  const key = Buffer.concat([...lists.map((name) => readFileSync(join(folder, name))), Buffer.from(lines.join('\n'))])
  return cachedTools(`receiver-${language.toLowerCase()}`, key, async (unfinished) => {
    for (const name of lists) cpSync(join(folder, name), join(unfinished, name))
    const commands = lines.filter((line) => !isOfReader(line)).join(' && ')
    // Not waited for in one piece: the service of the test runs in this process.
    await promisify(execFile)('bash', ['-c', commands], { cwd: unfinished, env: PROGRAMS })
  })
}
