import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { PATCHES } from '../../workflows/patches.ts'

const WORKFLOWS = fileURLToPath(new URL('../../workflows/', import.meta.url))

type Patches = Record<string, { id: string; removableFrom: string }>

/** What is wrong with the patches in the sources of workflows, in words. */
function problemsOf(sources: readonly string[], patches: Patches, today: string): string[] {
  const called = sources.flatMap((source) =>
    [...source.matchAll(/\b(?:patched|deprecatePatch)\(([^)]*)\)/g)].map(([, argument = '']) => argument.trim()),
  )
  const entries = Object.entries(patches)
  const ids = entries.map(([, { id }]) => id)
  return [
    ...called
      .filter((argument) => !entries.some(([name]) => argument === `PATCHES.${name}.id`))
      .map((argument) => `${argument} is not in workflows/patches.ts`),
    ...entries.filter(([name]) => !called.includes(`PATCHES.${name}.id`)).map(([name]) => `${name} is called nowhere`),
    ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${id} is there twice`),
    ...entries
      .filter(([, { removableFrom }]) => !/^\d{4}-\d\d-\d\d$/.test(removableFrom) || removableFrom <= today)
      .map(([name, { removableFrom }]) => `${name} is to be removed since ${removableFrom}`),
  ]
}

describe('the patches of workflows', () => {
  test('are those in workflows/patches.ts, all in use, and none past its day', () => {
    const sources = readdirSync(WORKFLOWS)
      .filter((file) => file !== 'patches.ts')
      .map((file) => readFileSync(`${WORKFLOWS}${file}`, 'utf8'))
    expect(problemsOf(sources, PATCHES, new Date().toISOString().slice(0, 10))).toEqual([])
  })

  test('are found out where they are not', () => {
    const patch = { id: 'gateway-first', removableFrom: '2027-01-31' }
    const source = 'if (patched(PATCHES.gatewayFirst.id)) first()\ndeprecatePatch(PATCHES.gatewayFirst.id)'
    const problems = (given: string, patches: Patches, today = '2027-01-30') => problemsOf([given], patches, today)
    expect(problems(source, { gatewayFirst: patch })).toEqual([])
    expect(problems("patched('by-hand')", {})).toEqual(["'by-hand' is not in workflows/patches.ts"])
    expect(problems('', { gatewayFirst: patch })).toEqual(['gatewayFirst is called nowhere'])
    expect(problems(`${source}\npatched(PATCHES.other.id)`, { gatewayFirst: patch, other: patch })).toEqual([
      'gateway-first is there twice',
    ])
    expect(problems(source, { gatewayFirst: patch }, '2027-01-31')).toEqual([
      'gatewayFirst is to be removed since 2027-01-31',
    ])
  })
})
