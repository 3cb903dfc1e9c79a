import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { ERRORS } from '../../../domain/errors.ts'
import { blocksOf, FOLDER, GUIDES, readGuide } from './guide.ts'

const PAGES = ['README.md', ...GUIDES]

/** A guide is read in a few minutes; blocks of code and answers are not counted. */
const WORDS_MAX = 700

const linksIn = (text: string) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)

/** What GitHub makes of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function isThere(link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const url = new URL(path, FOLDER)
  if (!existsSync(url)) return false
  if (anchor === undefined) return true
  const headings = [...readFileSync(url, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.map(anchorOf).includes(anchor)
}

describe.each(PAGES)('docs/guides/%s', (name) => {
  const text = readGuide(name)

  test('leads to pages and headings that are there', () => {
    const links = linksIn(text).filter((link) => !link.startsWith('http'))
    expect(links.length).toBeGreaterThan(1)
    expect(links.filter((link) => !isThere(link.startsWith('#') ? `${name}${link}` : link))).toEqual([])
  })

  test(`has ${WORDS_MAX} words at most`, () => {
    const words = text.replaceAll(/^```.*?^```$/gms, '').split(/\s+/)
    expect(words.length).toBeLessThanOrEqual(WORDS_MAX)
  })

  test('has shell lines that mean the same in bash and zsh', () => {
    const lines = blocksOf(text)
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => code.split('\n'))
    for (const line of lines) expect(line.replaceAll(/'[^']*'|"[^"]*"/g, '')).not.toMatch(/[?[\]~#!]/)
  })
})

describe('the guides', () => {
  test('are all in their index', () => {
    const [, table = ''] = readGuide('README.md').split('|---|---|')
    const [rows = ''] = table.split('\n\n')
    expect(linksIn(rows).toSorted()).toEqual([...GUIDES].toSorted())
  })

  test('name codes of errors that there are', () => {
    const codes = [...readGuide('errors.md').matchAll(/`((?:card|customer|gateway|request)\.[a-z0-9-]+)`/g)]
    expect(codes.length).toBeGreaterThan(10)
    for (const [, code = ''] of codes) expect(Object.keys(ERRORS)).toContain(code)
  })

  test('show parts of files as these are', () => {
    const parts = GUIDES.flatMap((name) => [
      ...readGuide(name).matchAll(/from \[`([^`]+)`\]\(([^)]+)\):\n\n```\w+\n(.*?)```/gs),
    ])
    expect(parts.length).toBeGreaterThan(0)
    for (const [, , path = '', code = ''] of parts) expect(readFileSync(new URL(path, FOLDER), 'utf8')).toContain(code)
  })
})
