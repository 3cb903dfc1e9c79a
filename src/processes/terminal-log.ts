import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { styleText } from 'node:util'
import type { DestinationStream } from 'pino'

/** A day of somebody who tries things out; the file before it is kept, too. */
const FILE_BYTES_MAX = 10_000_000

/**
 * The log of a process that a person watches: every line goes into `holdfast.log` of the folder, as JSON, and of that the
 * terminal shows a line for each request, and warnings in words. Stack traces are in the file.
 *
 * @param show receives a line for the terminal.
 * @param stopping aborted, the terminal is told nothing more: what libraries say of their own end is in the file.
 */
export function terminalLog(
  folder: string,
  { show, stopping, bytesMax = FILE_BYTES_MAX }: { show(line: string): void; stopping: AbortSignal; bytesMax?: number },
): DestinationStream {
  const write = boundedFile(folder, bytesMax)
  return {
    write(line) {
      write(line)
      if (stopping.aborted) return
      const shown = shownLine(JSON.parse(line) as LogLine)
      if (shown !== null) show(shown)
    },
  }
}

/** Appends to a file, and begins another one when it is full. */
function boundedFile(folder: string, bytesMax: number): (line: string) => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'holdfast.log')
  const open = () => openSync(file, 'a', 0o600)
  let descriptor = open()
  let bytes = fstatSync(descriptor).size
  return (line) => {
    if (bytes >= bytesMax) {
      closeSync(descriptor)
      renameSync(file, join(folder, 'holdfast.1.log'))
      descriptor = open()
      bytes = 0
    }
    bytes += writeSync(descriptor, line)
  }
}

interface LogLine {
  time: string
  level: string
  msg: string
  method?: string
  route?: string
  status?: number
  duration_ms?: number
  request_id?: string
  invoice_id?: string
  object_id?: string
  is_polling?: boolean
  caller?: string
  error_type?: string
  err?: { message?: string }
}

/** Null for what only a log is read for. */
function shownLine(line: LogLine): string | null {
  const at = styleText('dim', new Date(line.time).toTimeString().slice(0, 8))
  if (line.msg === 'request') return isNoise(line) ? null : `${at} ${requestLine(line)}`
  if (!['warn', 'error', 'fatal'].includes(line.level)) return null
  const word = line.level === 'warn' ? styleText('yellow', 'warning') : styleText('red', 'error')
  const why = line.err?.message === undefined ? '' : `: ${line.err.message.split('\n')[0]}`
  return `${at} ${word} ${line.msg}${why}`
}

/** Pages and commands that ask by themselves, and load balancers. */
const isNoise = ({ route = '', caller, status = 0, is_polling = false }: LogLine): boolean =>
  status < 400 && (/^\/(?:health|dashboard|js|docs)(?:\/|$)/.test(route) || caller === 'person' || is_polling)

function requestLine({
  method = '',
  route = '',
  status = 0,
  duration_ms,
  request_id,
  invoice_id,
  object_id,
  error_type,
}: LogLine) {
  const id = object_id ?? (route.startsWith('/invoices/') ? invoice_id : undefined)
  const path = route === 'none' ? '(no such address)' : route.replace(':id', id ?? '{id}').replaceAll(/:(\w+)/g, '{$1}')
  const color = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
  const answer = styleText(color, [String(status), error_type].filter((part) => part !== undefined).join(' '))
  return `${styleText('bold', method.padEnd(6))} ${path} ${answer} ${styleText('dim', `${duration_ms} ms ${request_id}`)}`
}
