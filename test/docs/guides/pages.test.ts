import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { ERRORS } from '../../../domain/errors.ts'
import { FOLDER, GUIDES, readGuide } from './guide.ts'

describe('the guides', () => {
  test('are all in their index', () => {
    const [, table = ''] = readGuide('README.md').split('|---|---|')
    const [rows = ''] = table.split('\n\n')
    const links = [...rows.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    expect(links.toSorted()).toEqual([...GUIDES].toSorted())
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
