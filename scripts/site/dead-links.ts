import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Links of the pages in a folder that lead to no file, or to no element of that page. */
export function deadLinks(folder: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
  const ids = new Map<string, Set<string>>()
  const idsOf = (file: string) => {
    const known =
      ids.get(file) ?? new Set([...readFileSync(file, 'utf8').matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id))
    ids.set(file, known)
    return known
  }
  return pages.flatMap((page) => {
    const links = [...readFileSync(join(folder, page), 'utf8').matchAll(/ (?:href|src)="([^"]*)"/g)]
    return [...new Set(links.map(([, link = '']) => link))]
      .filter((link) => !/^(https?:|data:|mailto:)/.test(link))
      .filter((link) => {
        const [path = '', anchor = ''] = decodeURI(link.replaceAll('&amp;', '&')).split('#')
        const base = path.startsWith('/') ? folder : dirname(join(folder, page))
        const target = path === '' ? join(folder, page) : join(base, path)
        const file = existsSync(target) && statSync(target).isDirectory() ? join(target, 'index.html') : target
        return !existsSync(file) || (anchor !== '' && file.endsWith('.html') && !idsOf(file).has(anchor))
      })
      .map((link) => `${page}: ${link}`)
  })
}
