import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { copyProject, type ProjectCopy, ROOT } from '../../test/project-copy.ts'

const DIST = join(ROOT, 'clients/dashboard/dist')
/** What a reader of the pages loads in all, compressed. */
const GZIP_MAX = 220_000

const files = readdirSync(DIST)
const read = (name: string) => readFileSync(join(DIST, name), 'utf8')

describe('the built pages', () => {
  test('load at most 220 kB of script, compressed: the pages, and the texts of one language', () => {
    const scripts = files.filter((name) => /\.m?js$/.test(name)).sort()
    const sizes = scripts.map((name) => gzipSync(read(name), { level: 9 }).length)
    expect(scripts.map((name) => name.split('.')[0])).toEqual(['de', 'en', 'fr', 'main'])
    const [pages = 0] = sizes.splice(-1)
    expect(pages + Math.max(...sizes)).toBeLessThanOrEqual(GZIP_MAX)
  })

  test('name their script and their style by the hash, and have none inside', () => {
    const page = read('index.html')
    const named = [...page.matchAll(/"\/dashboard\/assets\/([^"]+)"/g)].map(([, name = '']) => name)
    expect(named.map((name) => name.replace(/[0-9a-f]{16}/, '#')).sort()).toEqual(['main.#.css', 'main.#.js'])
    expect(files).toEqual(expect.arrayContaining(named))
    expect(page).not.toMatch(/\{\{|<style|<script(?![^>]* src=)|\sstyle=|\son\w+=/)
  })

  test('run no text as code, bring no React, and name no file of the machine', () => {
    for (const name of files) {
      expect([name, /\beval\(|new Function\(|react-dom|react\.transitional/.exec(read(name))]).toEqual([name, null])
      expect(read(name)).not.toContain(ROOT)
    }
  })
})

describe('building the pages', () => {
  let project: ProjectCopy
  beforeAll(() => {
    project = copyProject('clients/dashboard')
  })
  afterAll(() => project.remove())

  test('makes the same bytes anywhere, writes nothing where the sources are the same, and follows them', () => {
    const built = project.build()
    for (const name of files)
      expect([name, readFileSync(project.path(`clients/dashboard/dist/${name}`), 'utf8') === read(name)]).toEqual([
        name,
        true,
      ])
    expect(project.build()).toEqual(built)
    appendFileSync(project.path('clients/dashboard/src/styles/pages.css'), '.added { top: 0 }\n')
    const after = Object.keys(project.build())
    const styles = after.filter((name) => name.endsWith('.css'))
    expect(styles).toHaveLength(1)
    expect(Object.keys(built)).not.toContain(styles[0])
  })
})
