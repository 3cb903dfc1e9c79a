/** The text of the rules as its editor sees it: what is what in it, where its rules are, and what could stand at a place. */
import { FIELD_NAMES, VELOCITY_PATHS } from '../../../../../domain/routing/condition.ts'
import { RULE_KINDS } from '../../../../../domain/routing/rule.ts'

export type TokenKind = 'comment' | 'text' | 'kind' | 'property' | 'word' | 'field' | 'number' | 'sign' | 'other'

export interface Token {
  kind: TokenKind
  text: string
  at: number
}

const PROPERTIES = {
  block: ['condition', 'tags', 'enabled', 'run_for_card_verifications'],
  trigger_3ds: ['condition', 'tags', 'enabled', 'run_for_card_verifications'],
  route: ['gateways', 'condition', 'fallback', 'strategy', 'tags', 'enabled'],
  dynamic_3ds: ['gateways', 'condition', 'dynamic_3ds_params', 'tags', 'enabled', 'run_for_card_verifications'],
} as const satisfies Record<(typeof RULE_KINDS)[number], readonly string[]>

/** Words of conditions, which stand in any case. */
const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'not-in', 'contains'])
const FIELDS: ReadonlySet<string> = new Set([...FIELD_NAMES, 'rand', 'velocity'])

/** What a comparison of a field can be with, where that is a handful. */
export const VALUES: Readonly<Record<string, readonly string[]>> = {
  card_scheme: ['visa', 'mastercard', '"american express"', 'discover', 'jcb', 'maestro', '"carte bancaire"'],
  card_type: ['credit', 'debit', 'prepaid'],
  card_category: ['consumer', 'commercial'],
  channel: ['web', 'ios', 'android', 'other'],
  currency: ['EUR', 'USD', 'GBP', 'CHF'],
  merchant_initiated: ['true', 'false'],
  incremental: ['true', 'false'],
  enabled: ['true', 'false'],
  fallback: ['true', 'false'],
  strategy: ['priority', 'split'],
  run_for_card_verifications: ['true', 'false'],
}

/** A comment, a quoted text, a word with dots and dashes, blanks, or one other character. */
const TOKEN = /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"?|[A-Za-z_][\w.-]*|\d[\d.]*|\s+|[\s\S]/g

/** Every character is in one token. */
export function tokensOf(text: string): Token[] {
  let depth = 0
  return [...text.matchAll(TOKEN)].map(({ 0: found, index }) => {
    if (found === '{') depth += 1
    if (found === '}') depth -= 1
    return { kind: kindOf(found, text.slice(index + found.length), depth), text: found, at: index }
  })
}

function kindOf(found: string, rest: string, depth: number): TokenKind {
  if (found.startsWith('/*')) return 'comment'
  if (found.startsWith('"')) return 'text'
  if (/^\d/.test(found)) return 'number'
  if (/^\s/.test(found)) return 'other'
  if (!/^\w/.test(found)) return 'sign'
  if (depth === 0 && RULE_KINDS.some((kind) => kind === found)) return 'kind'
  if (/^\s*:/.test(rest)) return 'property'
  if (WORDS.has(found.toLowerCase())) return 'word'
  return FIELDS.has(found) || found.startsWith('metadata.') ? 'field' : 'other'
}

/** Where each rule begins and ends, in the order of the text: the first has the position 1. */
export function rulesIn(text: string): { start: number; end: number }[] {
  const rules: { start: number; end: number }[] = []
  let depth = 0
  for (const { kind, text: found, at } of tokensOf(text)) {
    if (kind === 'comment' || kind === 'text') continue
    if (kind === 'kind') rules.push({ start: at, end: text.length })
    if (found === '{') depth += 1
    const rule = rules.at(-1)
    if (found === '}') {
      depth -= 1
      if (depth === 0 && rule !== undefined) rule.end = at + 1
    }
  }
  return rules
}

export interface Suggestion {
  /** What takes the place of the word that has been begun. */
  insert: string
  /** What else is to be known of it. */
  about?: string
}

/**
 * What could stand where the text is being written.
 *
 * @param caret how far the text goes that counts.
 * @param gateways by their ids, with their names.
 */
export function suggestionsAt(
  text: string,
  caret: number,
  gateways: readonly { id: string; name: string }[],
): { from: number; suggestions: Suggestion[] } {
  const before = text.slice(0, caret)
  const begun = /[A-Za-z_"][\w.-]*$/.exec(before)?.[0] ?? ''
  const from = caret - begun.length
  const tokens = tokensOf(before.slice(0, from)).filter(
    ({ kind, text: found }) => kind !== 'comment' && /\S/.test(found),
  )
  // In the middle of a comment nothing is suggested.
  if (before.lastIndexOf('/*') > before.lastIndexOf('*/')) return { from, suggestions: [] }
  const wanted = begun.toLowerCase()
  const suggestions = candidates(tokens, gateways).filter(
    ({ insert, about = '' }) =>
      insert !== begun && (insert.toLowerCase().startsWith(wanted) || about.toLowerCase().startsWith(wanted)),
  )
  return { from, suggestions }
}

const plain = (words: readonly string[]): Suggestion[] => words.map((insert) => ({ insert }))

function candidates(tokens: readonly Token[], gateways: readonly { id: string; name: string }[]): Suggestion[] {
  const depth = tokens.reduce((sum, { text }) => sum + (text === '{' ? 1 : text === '}' ? -1 : 0), 0)
  const last = tokens.at(-1)?.text
  if (depth === 0) return RULE_KINDS.map((kind) => ({ insert: `${kind} {` }))
  const colon = tokens.findLastIndex(({ text }) => text === ':')
  const end = tokens.findLastIndex(({ text }) => text === ';' || text === '{')
  const inValue = colon > end
  if (!inValue) {
    const kind = RULE_KINDS.find((one) => one === tokens.findLast((token) => token.kind === 'kind')?.text)
    return last === ';' || last === '{' ? plain(PROPERTIES[kind ?? 'route'].map((name) => `${name}: `)) : []
  }
  const property = tokens[colon - 1]?.text ?? ''
  if (property === 'gateways') return gateways.map(({ id, name }) => ({ insert: id, about: name }))
  if (property === 'path') return plain(VELOCITY_PATHS)
  if (property !== 'condition') return plain(last === ':' ? (VALUES[property] ?? []) : [])
  return conditionCandidates(tokens.slice(colon + 1))
}

function conditionCandidates(tokens: readonly Token[]): Suggestion[] {
  const last = tokens.at(-1)
  const field = tokens.findLast(({ kind }) => kind === 'field')?.text ?? ''
  const begins =
    last === undefined ||
    /^(and|or|not)$/i.test(last.text) ||
    (last.text === '(' && !/^(not-)?in$/i.test(tokens.at(-2)?.text ?? ''))
  if (begins) return plain([...FIELD_NAMES, 'metadata.', 'rand()', 'velocity{path: ', 'NOT '])
  if (last.kind === 'field') return plain(['in (', 'not-in (', 'contains '])
  if (/^[=(,]$/.test(last.text)) return plain(VALUES[field] ?? [])
  return plain(['AND ', 'OR '])
}
