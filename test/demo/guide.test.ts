import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const GUIDE = read('docs/guide-first-payment.md')

/** Every block of code that says which file it is from. */
const SNIPPETS = [...GUIDE.matchAll(/From \[`([^`]+)`\]\(\.\.\/([^)]+)\):\n\n```\w+\n(.*?)```/gs)].map(
  ([, name = '', path = '', code = '']) => ({ name, path, code, first: code.trim().split('\n')[0] ?? '' }),
)

describe('the guide to the first payment', () => {
  test.each(SNIPPETS)('has code of $path as it is: $first', ({ name, path, code }) => {
    expect(path).toBe(name)
    expect(read(path)).toContain(code)
  })

  test('has no code that could differ from a file, but the commands', () => {
    const blocks = [...GUIDE.matchAll(/^```(\w+)$/gm)].map(([, language]) => language)
    expect(blocks.filter((language) => language !== 'bash')).toHaveLength(SNIPPETS.length)
    expect(blocks.filter((language) => language === 'bash')).toHaveLength(1)
  })

  test('explains every file of the shop', () => {
    const explained = new Set(SNIPPETS.map(({ path }) => path))
    expect([...explained].toSorted()).toEqual(
      readdirSync(new URL('demo/', ROOT))
        .map((file) => `demo/${file}`)
        .toSorted(),
    )
  })

  test.each(['guide-first-payment.md', 'hosted-page.md'])(
    'and its neighbours lead to pages that are there: %s',
    (page) => {
      const links = [...read(`docs/${page}`).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path)
      expect(links.length).toBeGreaterThan(5)
      const missing = links.filter((path) => !isThere(path))
      expect(missing).toEqual([])
    },
  )
})

function isThere(path: string): boolean {
  try {
    readFileSync(new URL(path, new URL('docs/', ROOT)))
    return true
  } catch {
    return false
  }
}
