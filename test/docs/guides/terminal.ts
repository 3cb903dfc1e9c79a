import { type ChildProcess, spawn } from 'node:child_process'
import type { Stack } from '../../support/stack.ts'
import { waitFor } from '../../support/wait-for.ts'
import { credentialsOf, PROGRAMS, ROOT } from './environment.ts'
import { type Block, differenceFrom, patternOf } from './guide.ts'

/** One shell, as a reader has one: what was set stays set, and what runs in the background goes on printing. */
export interface Terminal {
  /** Runs the lines of a block to their end; gives what was printed until then, errors included. */
  run(code: string): Promise<string>
  /** Everything that was printed so far, what runs in the background included. */
  output(): string
  /** Runs the shell blocks of a page in order, and holds what is printed to the blocks of answers below them. */
  follow(blocks: readonly Block[], settings?: Following): Promise<void>
  close(): Promise<void>
}

interface Following {
  /** What takes the place of what a reader puts in, such as `proj_…`, by what stands in the page. */
  replacing?: Readonly<Record<string, string>>
  /** What is done with a block of another language. */
  other?: (block: Block) => Promise<void>
}

export function openTerminal(cwd: string, environment: Record<string, string>): Terminal {
  // A group of its own, which ends together with what it runs in the background.
  const shell: ChildProcess = spawn('bash', { cwd, env: environment, detached: true })
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => {
      printed += text
    })
  }
  const exited = new Promise((resolve) => shell.once('close', resolve))
  const isOver = () => shell.exitCode !== null || shell.signalCode !== null
  let commands = 0
  /** Where the output of the last command begins. */
  let begin = 0

  const run: Terminal['run'] = async (code) => {
    begin = printed.length
    const own = begin
    commands += 1
    const mark = `--- command ${commands} ended ---`
    shell.stdin?.write(`${code}\necho "${mark}"; echo "${mark}" >&2\n`)
    const marks = () => printed.slice(own).split(mark).length - 1
    await waitFor(() => marks() === 2 || isOver())
    return printed.slice(own).replaceAll(`${mark}\n`, '')
  }

  return {
    run,
    output: () => printed,
    async follow(blocks, { replacing = {}, other } = {}) {
      for (const block of blocks) {
        const fill = (text: string) =>
          Object.entries(replacing).reduce((all, [from, to]) => all.replaceAll(from, to), text)
        if (block.language === 'sh') {
          await run(fill(block.code))
        } else if (block.language === 'json') {
          expectAnswer({ ...block, code: fill(block.code) }, printed.slice(begin))
        } else if (block.language === 'text') {
          await waitFor(() => hasLines(fill(block.code), printed.slice(begin))).catch(() => {
            throw new Error(
              `Under "${block.heading}" this was not printed:\n${block.code}\nbut:\n${printed.slice(begin)}`,
            )
          })
        } else await other?.(block)
      }
    },
    async close() {
      if (!isOver()) process.kill(-Number(shell.pid), 'SIGTERM')
      await exited
    },
  }
}

/** A shell beside a service that runs, as the guides have it after their first lines. */
export async function openGuideTerminal(stack: Pick<Stack, 'baseUrl' | 'project'>): Promise<Terminal> {
  const terminal = openTerminal(ROOT, PROGRAMS)
  // The script finds the credentials in a file of `npm start`, which the stack has none of.
  await terminal.run(`HOLDFAST=; . examples/sandbox.sh 2>&-`)
  for (const [name, value] of Object.entries(credentialsOf(stack))) await terminal.run(`export ${name}='${value}'`)
  return terminal
}

/** Each line of the page was printed, in whatever order: what runs at the same time prints as it comes. */
function hasLines(shown: string, printed: string): boolean {
  return shown
    .trimEnd()
    .split('\n')
    .every((line) => patternOf(line).test(printed))
}

/** The last answer of the interface that was printed has what the page shows. */
function expectAnswer({ heading, code }: Block, printed: string): void {
  const difference = differenceFrom(JSON.parse(code), lastAnswer(printed))
  if (difference !== null) throw new Error(`Under "${heading}": ${difference}. What was printed:\n${printed}`)
}

/** Anything may stand behind an answer. */
function lastAnswer(printed: string): unknown {
  const begin = [...printed.matchAll(/\{\s*"success":/g)].at(-1)?.index ?? -1
  for (let end = printed.lastIndexOf('}'); begin !== -1 && end > begin; end = printed.lastIndexOf('}', end - 1)) {
    try {
      return JSON.parse(printed.slice(begin, end + 1))
    } catch {
      // It ends at an earlier brace.
    }
  }
  return null
}
