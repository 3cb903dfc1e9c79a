import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { GATEWAYS } from '../../src/gateways/installed.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The lines of every block of shell commands. */
const LINES = [...README.matchAll(/^```sh\n(.*?)^```$/gms)]
  .flatMap(([, block = '']) => block.split('\n'))
  .filter((line) => line !== '')

/** What is left of a line outside of its quotes. */
const unquoted = (line: string) => line.replaceAll(/'[^']*'|"[^"]*"/g, '')

describe('a shell line of the README', () => {
  test('is there to be tried', () => {
    expect(LINES.length).toBeGreaterThan(10)
  })

  // zsh looks for files by ? * [ ] and ~, and takes a comment for arguments.
  test.each(LINES)('means the same in bash and zsh: %s', (line) => {
    expect(unquoted(line)).not.toMatch(/[?*[\]~#!]/)
  })
})

test('the README names every gateway that takes live payments', () => {
  const [, sentences = ''] = /^(Live payments need .*)$/m.exec(README.replaceAll('. ', '.\n')) ?? []
  const live = GATEWAYS.map(({ name }) => name).filter((name) => name !== 'simulator')
  for (const name of live) expect(sentences.toLowerCase()).toContain(name)
})
