import { explain, say } from './run-process.ts'

/** Runs a command that ends by itself: exit code 1 and one sentence where it fails. */
export async function runScript(run: (say: (line: string) => void) => Promise<void>): Promise<void> {
  try {
    await run(say)
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exitCode = 1
  }
}
