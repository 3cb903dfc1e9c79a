import { existsSync, readFileSync } from 'node:fs'
import type { Proof } from '../../scripts/docs/proofs/proof.ts'
import { testTitles } from './test-titles.ts'

const ROOT = new URL('../../', import.meta.url)
const titles = new Map<string, readonly string[]>()

/** What is wrong with a proof: nothing, or a sentence. */
export function problemOf({ file, title }: Proof): string | null {
  if (!existsSync(new URL(file, ROOT))) return `${file} is not there`
  const known = titles.get(file) ?? testTitles(file)
  titles.set(file, known)
  return known.includes(title) ? null : `${file} has no test "${title}"`
}

/** The text of a test file and of what it imports from beside itself, where tables and fixtures are. */
export function sourceOf(file: string): string {
  const source = readFileSync(new URL(file, ROOT), 'utf8')
  const beside = [...source.matchAll(/from '(\.\/[^']+\.ts)'/g)].map(([, path = '']) =>
    readFileSync(new URL(path, new URL(file, ROOT)), 'utf8'),
  )
  return [source, ...beside].join('\n')
}
