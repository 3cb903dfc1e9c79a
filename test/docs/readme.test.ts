import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { GATEWAYS } from '../../src/gateways/installed.ts'
import { blocksOf, GUIDES, readGuide } from './guides/guide.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

const DOCS = new URL('../../docs/', import.meta.url)
const PAGES = readdirSync(DOCS).filter((name) => name.endsWith('.md'))

/** The lines of every block of shell commands. */
const linesOf = (text: string) =>
  blocksOf(text)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n'))
    .filter((line) => line !== '')

describe('a shell line', () => {
  // zsh looks for files by ? [ ] and ~, and takes a comment for arguments.
  test.each([
    ['README.md', README],
    ...GUIDES.map((name) => [name, readGuide(name)] as const),
    ...PAGES.map((name) => [name, readFileSync(new URL(name, DOCS), 'utf8')] as const),
  ])('of %s means the same in bash and zsh', (name, text) => {
    const lines = linesOf(text)
    if (name === 'README.md') expect(lines.length).toBeGreaterThan(10)
    for (const line of lines) expect(line.replaceAll(/'[^']*'|"[^"]*"/g, '')).not.toMatch(/[?[\]~#!]/)
  })
})

test('the README names every gateway that takes live payments', () => {
  const [, sentences = ''] = /^(Live payments need .*)$/m.exec(README.replaceAll('. ', '.\n')) ?? []
  const live = GATEWAYS.map(({ name }) => name).filter((name) => name !== 'simulator')
  for (const name of live) expect(sentences.toLowerCase()).toContain(name)
})

test('the commands of the guides are there in a shell that has read examples/sandbox.sh from another folder', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const script = `. '${root}examples/sandbox.sh'; command -v holdfast; type keep | head -n 1`
  const env = { ...process.env, DATA_DIR: '/nowhere' }
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: '/', encoding: 'utf8', env })
  expect(stderr).toMatch(/^There is no \/nowhere\/sandbox\.json\. Run "npm start" in another terminal, .*\n$/)
  expect(stdout).toBe(`${root}clients/cli/bin/holdfast\nkeep is a function\n`)
})
