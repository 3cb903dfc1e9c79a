import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Io } from '../io.ts'

interface AskOptions {
  /** What nothing typed stands for. */
  offered?: string
  isHidden?: boolean
  /** What is shown of it. */
  hint?: string
}

/**
 * What a person types; nothing typed is the default. What is hidden is not shown on the screen.
 *
 * @throws AbortError where the person ends it.
 */
export async function ask(io: Io, question: string, options: AskOptions = {}): Promise<string> {
  const { offered = '', isHidden = false, hint = offered } = options
  const { stdin, stdout, signal } = io
  const shown = `${question}${hint === '' ? '' : ` [${hint}]`}: `
  // Without a terminal as its output, readline would let the terminal itself show every key.
  const nowhere = new Writable({ write: (_, __, done) => done() })
  if (isHidden) stdout.write(shown)
  const lines = createInterface({ input: stdin, output: isHidden ? nowhere : stdout, terminal: true })
  const interrupted = new Promise<never>((_, reject) => {
    // Ctrl-C, and Ctrl-D.
    for (const event of ['SIGINT', 'close'])
      lines.once(event, () => reject(new DOMException('Interrupted', 'AbortError')))
  })
  try {
    return (await Promise.race([lines.question(shown, { signal }), interrupted])).trim() || offered
  } finally {
    lines.close()
    if (isHidden) stdout.write('\n')
  }
}
