import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FOLDERS, NAVIGATION } from './navigation.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A page of the repository as a page of the site. */
interface SitePage {
  /** In the repository, such as `docs/guides/README.md`. */
  source: string
  /** In the site, such as `guides/index.md`. */
  path: string
  title: string
  text: string
}

export interface Site {
  /** The first page, which is in no section. */
  home: SitePage
  sections: readonly { title: string; pages: readonly SitePage[] }[]
  /** Files of the repository that pages link to or show, by their path in the site. */
  files: ReadonlyMap<string, string>
}

const IMAGES = ['.webp', '.svg']
const HOME = 'scripts/site/home.md'

/** A picture in the colours of the reader's system, as the pages of the repository have it. */
const PICTURE = /<picture><source media="[^"]*dark[^"]*" srcset="([^"]+)"><img alt="([^"]*)" src="([^"]+)"><\/picture>/g

/** Reads all pages, with links that lead to pages of the site and to copies of other files. */
export function readSite(): Site {
  const folders = FOLDERS.map(({ title, folder }) => ({
    title,
    pages: readdirSync(join(ROOT, folder))
      .toSorted()
      .map((name) => `${folder}/${name}`),
  }))
  const files = new Map<string, string>()
  const sections = [...NAVIGATION, ...folders].map(({ title, pages }) => ({
    title,
    pages: pages.map((source) => readPage(source, files)),
  }))
  return { home: readPage(HOME, files), sections, files }
}

/** `docs/` is the root of the site; a README is the first page of its folder. */
export function sitePathOf(source: string): string {
  if (source === HOME) return 'index.md'
  if (source === 'README.md') return 'start.md'
  const path = source.replace(/^docs\//, '').replace(/^src\//, '')
  const isOfFolderWithPages = ['guides/README.md', 'clients/README.md'].includes(path)
  if (basename(path) !== 'README.md') return path.toLowerCase()
  return isOfFolderWithPages ? `${dirname(path)}/index.md` : `${dirname(path)}.md`
}

function readPage(source: string, files: Map<string, string>): SitePage {
  const original = readFileSync(join(ROOT, source), 'utf8')
  const [, title = source] = /^# (.*)$/m.exec(original) ?? []
  const path = sitePathOf(source)
  const parts = original.split(/(^```[\s\S]*?^```$)/m)
  const text = parts.map((part, index) => (index % 2 === 1 ? part : withSiteLinks(part, source, files))).join('')
  return { source, path, title, text }
}

/**
 * Text without blocks of code. The generator knows no lists of tasks, so their boxes become characters; and its readers choose
 * the colours themselves, so both pictures are there and site.css shows one.
 */
function withSiteLinks(text: string, source: string, files: Map<string, string>): string {
  const image = (colours: string, alt: string, file: string) =>
    `<img class="${colours}" alt="${alt}" src="${siteLink(file, source, files) ?? file}">`
  return text
    .replaceAll(
      PICTURE,
      (_, dark: string, alt: string, light: string) => image('only-light', alt, light) + image('only-dark', alt, dark),
    )
    .replaceAll(/\]\(([^)\s]+)\)/g, (_, link: string) => `](${siteLink(link, source, files) ?? link})`)
    .replaceAll(/^- \[ \] /gm, '- ☐ ')
}

function siteLink(link: string, source: string, files: Map<string, string>): string | null {
  if (/^(https?:|#)/.test(link)) return null
  const [path = '', anchor] = link.split('#')
  const target = normalize(join(dirname(source), path))
  if (!existsSync(join(ROOT, target)) || statSync(join(ROOT, target)).isDirectory())
    throw new Error(`${source} links to ${link}, which is no file.`)
  const from = dirname(sitePathOf(source))
  const to = (place: string) => `./${relative(from, place)}`
  if (extname(target) === '.md') return `${to(sitePathOf(target))}${anchor === undefined ? '' : `#${anchor}`}`
  if (IMAGES.includes(extname(target))) {
    const image = target.replace(/^docs\//, '')
    files.set(image, target)
    return to(image)
  }
  // A static server may send unknown endings as a download.
  files.set(`public/files/${target}.txt`, target)
  return `/files/${target}.txt`
}
