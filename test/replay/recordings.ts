import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { HistoryJson } from '../support/temporal.ts'

const HISTORIES = fileURLToPath(new URL('./histories', import.meta.url))
const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url))

export interface Recording {
  /** The release whose workflows wrote it. */
  version: string
  /** The scenario's name and the mode in which it was run. */
  name: string
  history: HistoryJson
}

/** The release that this tree will be, or is. */
export function currentVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version
}

export function recordingName(scenario: string, mode: string): string {
  return `${scenario}.${mode}`
}

/** Every recording of every release. */
export function readRecordings(): Recording[] {
  return readdirSync(HISTORIES).flatMap((version) =>
    readdirSync(join(HISTORIES, version)).map((file) => ({
      version,
      name: file.replace(/\.json$/, ''),
      history: JSON.parse(readFileSync(join(HISTORIES, version, file), 'utf8')),
    })),
  )
}

export function isRecorded(name: string): boolean {
  return existsSync(fileOf(name))
}

/**
 * Keeps a history, one event a line, so that a difference between two recordings can be read. Who recorded it on
 * which machine, which the server writes into every event, stays out.
 */
export function writeRecording(name: string, { events }: HistoryJson): void {
  mkdirSync(join(HISTORIES, currentVersion()), { recursive: true })
  const lines = events.map((event) => JSON.stringify(event)).join(',\n')
  const anonymous = lines.replaceAll(`${process.pid}@${hostname()}`, 'recorder')
  writeFileSync(fileOf(name), `{"events":[\n${anonymous}\n]}\n`)
}

function fileOf(name: string): string {
  return join(HISTORIES, currentVersion(), `${name}.json`)
}
