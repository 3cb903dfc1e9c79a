import type { Readable, Writable } from 'node:stream'

/** What the command line has of the process that it runs in. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>
  /** Where `.data/sandbox.json` of a checkout is looked for. */
  folder: string
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable & { isTTY?: boolean; columns?: number }
  stderr: Writable & { isTTY?: boolean }
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

export const say = ({ stdout }: Io, text: string) => void stdout.write(`${text}\n`)

/** What is no part of the answer: it does not disturb who reads that from a pipe. */
export const remark = ({ stderr }: Io, text: string) => void stderr.write(`${text}\n`)

/** How wide a line may be. */
export const widthOf = ({ stdout: { columns } }: Io) => columns ?? 80

/** All that is piped in. */
export async function readInput({ stdin }: Io): Promise<string> {
  let text = ''
  for await (const piece of stdin.setEncoding('utf8')) text += piece
  return text
}
