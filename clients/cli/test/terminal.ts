import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import type { Stack } from '../../../test/support/stack.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { run } from '../src/run.ts'

export interface Ended {
  code: number
  out: string
  err: string
}

/** A command that has not ended yet. */
export interface Running {
  out: () => string
  err: () => string
  /** As Ctrl-C does it. */
  interrupt(): Promise<Ended>
}

/** Where a person types commands, with a home folder of its own. */
export interface Terminal {
  folder: string
  /** What the environment has beside that folder. */
  env: Record<string, string>
  run(args: readonly string[], options?: { input?: string }): Promise<Ended>
  /** Runs the command with `--json`, and reads what it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: a test that reads a field that is not there fails by itself.
  json(...args: string[]): Promise<any>
  start(...args: string[]): Running
  /** Runs the command at a terminal: each text is typed as soon as its question is on the screen. */
  type(args: readonly string[], answers: readonly [question: string, typed: string][]): Promise<Ended>
  /** A file below the configuration of the command line: its text, and who may do what with it. */
  kept(name: string): Promise<{ text: string; mode: number }>
  remove(): Promise<void>
}

/** @param secret what no command may print. */
export async function makeTerminal(secret: string, env: Record<string, string> = {}): Promise<Terminal> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-cli-'))
  const begin = (args: readonly string[], stdin: Readable & { isTTY?: boolean }) => {
    const interruption = new AbortController()
    const streams = { stdout: new PassThrough(), stderr: new PassThrough() }
    const texts = { out: '', err: '' }
    streams.stdout.on('data', (piece) => {
      texts.out += piece
    })
    streams.stderr.on('data', (piece) => {
      texts.err += piece
    })
    const ended = run(args, {
      env: { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...env },
      command: 'holdfast',
      folder,
      stdin,
      ...streams,
      signal: interruption.signal,
    }).then((code): Ended => {
      if (`${texts.out}${texts.err}`.includes(secret))
        throw new Error(`"${args.join(' ')}" has printed the secret key.`)
      return { code, ...texts }
    })
    return { texts, ended, interruption }
  }
  const terminal: Terminal = {
    folder,
    env,
    run: (args, { input = '' } = {}) => begin(args, Readable.from([input])).ended,
    async json(...args) {
      const { code, out, err } = await terminal.run([...args, '--json'])
      if (code !== 0) throw new Error(`"${args.join(' ')}" ended with ${code}: ${err}`)
      return JSON.parse(out)
    },
    start(...args) {
      const { texts, ended, interruption } = begin(args, Readable.from([]))
      return {
        out: () => texts.out,
        err: () => texts.err,
        interrupt() {
          interruption.abort()
          return ended
        },
      }
    },
    async type(args, answers) {
      const keyboard = Object.assign(new PassThrough(), { isTTY: true })
      const { texts, ended } = begin(args, keyboard)
      let answered = ''
      for (const [question, typed] of answers) {
        await waitFor(() => texts.out.slice(answered.length).includes(question))
        answered = texts.out
        keyboard.write(`${typed}\n`)
      }
      return ended
    },
    async kept(name) {
      const path = join(folder, 'config/holdfast', name)
      return { text: await readFile(path, 'utf8'), mode: (await stat(path)).mode & 0o777 }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
  return terminal
}

/** The environment of a merchant of this service. */
export function credentialsOf({ baseUrl, project }: Pick<Stack, 'baseUrl' | 'project'>): Record<string, string> {
  return {
    HOLDFAST_URL: baseUrl,
    HOLDFAST_PROJECT_ID: `test-${project.id}`,
    HOLDFAST_SECRET_KEY: project.secretKey,
  }
}
