import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Part } from '../parts/part.ts'

const FOLDER = new URL('../parts/', import.meta.url)

/** What parts are made of, and no part itself. */
const CONTRACT = 'part'

/** The names of all parts: every file in `bench/parts` is one. */
export function partNames(): string[] {
  return readdirSync(fileURLToPath(FOLDER), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ name }) => basename(name, '.ts'))
    .filter((name) => name !== CONTRACT)
    .sort()
}

/** @throws Error where the file is no part, or is named differently from its part. */
export async function loadPart(name: string): Promise<Part> {
  const { part } = (await import(new URL(`${name}.ts`, FOLDER).href)) as { part?: Part }
  if (part?.name !== name) throw new Error(`bench/parts/${name}.ts exports no part of that name.`)
  return part
}
