import { readdirSync, readFileSync } from 'node:fs'

export const FOLDER = new URL('../../../docs/guides/', import.meta.url)
export const GUIDES = readdirSync(FOLDER).filter((name) => name !== 'README.md')

export const readGuide = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8')

/** A block of code with its language, in the order of the page. */
export interface Block {
  language: string
  code: string
  /** The heading above it, without its number. */
  heading: string
}

export function blocksOf(text: string): Block[] {
  let heading = ''
  return [...text.matchAll(/^#+ (?:\d+\. )?([^\n]*)$|^```(\w*)\n(.*?)^```$/gms)].flatMap(
    ([, title, language, code]) => {
      if (title !== undefined) heading = title
      return language === undefined ? [] : [{ language, code: code ?? '', heading }]
    },
  )
}

/**
 * Says how an answer differs from what a page shows of it; null where it does not. An object of the page may have fewer
 * fields, and a `…` in a text stands for anything.
 */
export function differenceFrom(shown: unknown, actual: unknown, path = 'the answer'): string | null {
  if (typeof shown === 'string' && shown.includes('…') && typeof actual === 'string')
    return patternOf(shown).test(actual) ? null : `${path} is ${JSON.stringify(actual)}, and not like ${shown}`
  if (typeof shown !== 'object' || shown === null)
    return shown === actual ? null : `${path} is ${JSON.stringify(actual)}, and not ${JSON.stringify(shown)}`
  if (typeof actual !== 'object' || actual === null) return `${path} is ${JSON.stringify(actual)}, and no object`
  if (Array.isArray(shown) && shown.length !== (actual as unknown[]).length)
    return `${path} has ${(actual as unknown[]).length} items, and not ${shown.length}`
  const fields = actual as Record<string, unknown>
  const differences = Object.entries(shown).map(([name, value]) =>
    differenceFrom(value, fields[name], `${path}.${name}`),
  )
  return differences.find((difference) => difference !== null) ?? null
}

/** Lines of a page as a pattern; `…` stands for anything within a line. */
export const patternOf = (shown: string): RegExp => new RegExp(shown.split('…').map(escaped).join('[^\\n]+'))

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
