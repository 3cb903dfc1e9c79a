import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The way of one authorization, as ARCHITECTURE.md numbers it. */
const STEPS = [...read('ARCHITECTURE.md').matchAll(/^(\d+)\. `([^`]+\.ts)` `([^`]+)`: \S/gm)].map(
  ([, number = '', file = '', name = '']) => ({ number: Number(number), file, name }),
)

/** Code without its comments and imports, in which every name is a definition or a use. */
const codeOf = (file: string) =>
  read(file)
    .replaceAll(/\/\*\*.*?\*\//gs, '')
    .replaceAll(/^import .*?from '[^']+'$/gms, '')

const definitionOf = (name: string) =>
  new RegExp(`^(?:export )?(?:async )?function ${name}\\b|^ {2}(?:async )?${name}[(<](?:.*\\).*\\{|)$`, 'gm')

describe('the way of one authorization', () => {
  test('has its steps in order, and at most 60 of them', () => {
    expect(STEPS.map(({ number }) => number)).toEqual(STEPS.map((_, index) => index + 1))
    expect(STEPS.length).toBeGreaterThan(40)
    expect(STEPS.length).toBeLessThanOrEqual(60)
  })

  test.each(STEPS)('$number: $file defines $name', ({ file, name }) => {
    expect(codeOf(file)).toMatch(definitionOf(name))
  })

  // The first one is called by the program itself, and adapters are listed in one place.
  const called = STEPS.filter(({ name }) => name !== 'createHttpServer' && name !== 'createStripeGateway')
  test.each(called)(
    '$number: $name is used by a step before it or by what puts the parts together',
    ({ number, name }) => {
      const before = STEPS.filter((step) => step.number <= number).map(({ file }) => file)
      const together = [
        'src/processes/app.ts',
        'src/processes/api-part.ts',
        'src/api/payments/endpoints.ts',
        'src/processes/worker-part.ts',
        'src/api.ts',
        'activities/index.ts',
      ]
      const uses = [...new Set([...before, ...together])].map((file) => codeOf(file).replaceAll(definitionOf(name), ''))
      expect(uses.join('\n')).toMatch(new RegExp(`(?<![\\w])${name}\\b`))
    },
  )
})
