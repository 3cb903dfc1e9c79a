import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { ERRORS, type ErrorEntry } from '../../domain/errors.ts'
import { FIELD_NAMES, OPERATORS, VELOCITY_PATHS } from '../../domain/routing/condition.ts'
import { DEFAULT_FALLBACK_CODES, FALLBACK_CODES } from '../../domain/routing/fallback.ts'
import {
  ATTEMPTS_MAX,
  COMPARISONS_MAX,
  CONDITION_DEPTH_MAX,
  GATEWAYS_MAX,
  RULES_MAX,
  TAGS_MAX,
  VELOCITIES_MAX,
  WEIGHT_MAX,
} from '../../domain/routing/limits.ts'
import { RULE_KINDS } from '../../domain/routing/rule.ts'
import { VELOCITY_RECORDS_MAX } from '../../src/persistence/queries/routing/velocity-records.ts'
import { parseConditionText } from '../../src/routing/parse-condition.ts'

import { PROPERTIES, parseRules } from '../../src/routing/parse-rules.ts'

const page = readFileSync(new URL('../../docs/routing.md', import.meta.url), 'utf8')
const EUR = { defaultCurrency: 'EUR' }

/** What stands in blocks of code of a language. */
const blocks = (language: string): string[] =>
  [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].filter(([, of]) => of === language).map(([, , text = '']) => text)

/** A section without those below it. */
function section(heading: string): string {
  const [, rest = ''] = page.split(`\n${heading}\n`)
  return rest.split(/\n##+ /)[0] ?? ''
}

/** Names in the text, without the blocks of code. */
const inBackticks = (text: string): string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name)

describe('docs/routing.md', () => {
  test('shows texts that can be read, each as a whole or as a condition', () => {
    const texts = blocks('')
    expect(texts.length).toBeGreaterThanOrEqual(2)
    for (const text of texts) {
      const rules = text.startsWith('condition:') ? `block { ${text} }` : text
      expect(parseRules(rules, EUR).length).toBeGreaterThan(0)
    }
    const [sent = ''] = blocks('sh').flatMap((text) => /"rules=([^"]+)"/.exec(text)?.[1] ?? [])
    expect(parseRules(sent.replaceAll('$', 'gway_conf_'), EUR).map(({ kind }) => kind)).toEqual(['block', 'route'])
  })

  test('quotes conditions that can be read', () => {
    const quoted = inBackticks(page).filter(
      (text) => /(==|!=|<|>| in \()/.test(text) && !/[{[]"|^[=!<>]|…|<key>/.test(text),
    )
    expect(quoted.length).toBeGreaterThan(5)
    for (const text of quoted) expect(() => parseConditionText(text)).not.toThrow()
  })

  test('names every field, operator and path of a condition', () => {
    const conditions = section('## Conditions')
    const named = inBackticks(conditions)
    for (const name of FIELD_NAMES) expect(named).toContain(name)
    for (const operator of OPERATORS) expect(conditions).toContain(`\`${operator}`)
    for (const path of VELOCITY_PATHS) expect(inBackticks(section('### Velocity'))).toContain(path)
    expect(conditions).toContain('`rand()`')
    expect(conditions).toContain('`metadata.<key>`')
    expect(conditions).toContain('`velocity{path: …; interval: …}`')
  })

  test('names every kind and every property, and no other', () => {
    const column = (text: string) => text.split('\n').flatMap((line) => /^\| `([^`]+)` \|/.exec(line)?.[1] ?? [])
    expect(column(section('## Order'))).toEqual([...RULE_KINDS])
    const properties = new Set(Object.values(PROPERTIES).flatMap(Object.keys))
    expect(column(section('## Properties')).toSorted()).toEqual([...properties].toSorted())
  })

  test('says which codes a fallback takes, without a list and with one', () => {
    const classOf = (code: string) => Object.entries<ErrorEntry>(ERRORS).find(([name]) => name === code)?.[1].retryClass
    const [, excluded = ''] = /nor these of class `later`: (.*)\./.exec(section('## Fallback')) ?? []
    const codes = Object.keys(ERRORS)
    expect(DEFAULT_FALLBACK_CODES).toEqual(codes.filter((code) => classOf(code) === 'other-gateway'))
    const listed = codes.filter((code) => /^(other-gateway|later)$/.test(classOf(code) ?? ''))
    expect([...FALLBACK_CODES, ...inBackticks(excluded)].toSorted()).toEqual(
      [...listed, 'request.transaction-blocked'].toSorted(),
    )
  })

  test('tells the limits as they are', () => {
    const limits = section('## Limits')
    expect(limits).toContain(`at most ${RULES_MAX} rules`)
    expect(limits).toContain(`${COMPARISONS_MAX} comparisons, nested ${CONDITION_DEPTH_MAX} deep`)
    expect(limits).toContain(`at most ${GATEWAYS_MAX} gateways and ${TAGS_MAX} tags`)
    expect(limits).toContain(`counts at most ${VELOCITIES_MAX} different velocities`)
    expect(section('## Weights')).toContain(`from 0 to ${WEIGHT_MAX}`)
    expect(section('## Fallback')).toContain(`${ATTEMPTS_MAX} at most`)
    expect(section('### Velocity')).toContain(`newest ${VELOCITY_RECORDS_MAX.toLocaleString('en')} attempts`)
  })
})
