import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { FOLDERS, NAVIGATION } from '../../scripts/site/navigation.ts'
import { ROOT, readSite } from '../../scripts/site/pages.ts'
import { githubAnchor } from '../../scripts/site/vitepress/github-anchor.ts'

const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: ROOT })
const PAGES = stdout
  .toString()
  .trim()
  .split('\n')
  .filter((page) => existsSync(join(ROOT, page)))

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const anchorsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => githubAnchor(heading))

/** Links and pictures of the text, without the blocks of code. */
const linksOf = (path: string) =>
  [
    ...read(path)
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/(?:\]\(|src(?:set)?=")([^)"\s]+)[)"]/g),
  ]
    .map(([, link = '']) => link)
    .filter((link) => !link.startsWith('http'))

function isThere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(join(ROOT, target))) return false
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(target).includes(anchor)
}

describe('a link between pages', () => {
  test.each(PAGES)('of %s leads to a file and a heading that exist', (page) => {
    expect(linksOf(page).filter((link) => !isThere(page, link))).toEqual([])
  })
})

describe('the site', () => {
  test('has every page in its navigation once', () => {
    // Two of tests, some of templates, and one that only refers to another page.
    const isOfSite = (page: string) => !/^(test|scripts|\.github)\/|^SECURITY\.md$/.test(page)
    const named = NAVIGATION.flatMap(({ pages }) => pages)
    const others = PAGES.filter((page) => !FOLDERS.some(({ folder }) => page.startsWith(`${folder}/`)))
    expect(named.toSorted()).toEqual(others.filter(isOfSite).toSorted())
  })

  test('gives each page an address of its own, and leads each link to a page or a copied file', () => {
    const { sections, files } = readSite()
    const pages = sections.flatMap((section) => section.pages)
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
    const known = new Set([...pages.map(({ path }) => path), ...files.keys()])
    const dead = pages.flatMap(({ source, path, text }) =>
      [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !link.startsWith('http'))
        .map((link) => (link.startsWith('/') ? `public${link}` : normalize(join(dirname(path), link))))
        .filter((target) => !known.has(target))
        .map((target) => `${source}: ${target}`),
    )
    expect(dead).toEqual([])
  })
})
