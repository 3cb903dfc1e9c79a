/**
 * `npm run site -- FOLDER`: builds the pages of the repository as a static site with search, into `site` unless another
 * folder is named, and fails where a link leads nowhere.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProgram, runProgram, TERMINAL } from '../src/processes/command-line.ts'
import { npmTools } from './npm-tools.ts'
import { deadLinks } from './site/dead-links.ts'
import { ROOT, readSite } from './site/pages.ts'
import { writeReference } from './site/reference.ts'

const program = createProgram('site', TERMINAL)
  .description('Builds the pages of the repository as a static site with search, and fails where a link leads nowhere.')
  .argument('[folder]', 'where to', 'site')
  .action(build)
const exitCode = await runProgram(program, process.argv.slice(2), TERMINAL)
if (exitCode !== 0) process.exitCode = exitCode

async function build(folder: string): Promise<void> {
  const output = resolve(folder)

  const tools = await npmTools('site', new URL('site/tools/', import.meta.url))
  // Within the folder of the tools, where the generator finds its packages.
  const work = mkdtempSync(join(tools, 'pages-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(work, path)), { recursive: true })
    writeFileSync(join(work, path), text)
  }

  try {
    const { home, sections, files } = readSite()
    for (const { path, text } of [home, ...sections.flatMap(({ pages }) => pages)]) write(path, text)
    for (const [path, source] of files) cpSync(join(ROOT, source), join(work, path))
    writeReference(join(work, 'public'))
    cpSync(fileURLToPath(new URL('site/vitepress', import.meta.url)), join(work, '.vitepress'), { recursive: true })
    cpSync(join(work, '.vitepress/logo.svg'), join(work, 'public/logo.svg'))
    // As it is published, in parts that pages with a diagram load: to bundle it took half of the time.
    const isCode = (path: string) => !path.endsWith('.map')
    for (const part of ['mermaid.esm.min.mjs', 'chunks/mermaid.esm.min'])
      cpSync(join(tools, 'node_modules/mermaid/dist', part), join(work, 'public/mermaid', part), {
        recursive: true,
        filter: isCode,
      })
    // The generator's compiler would take the one of the repository, which is written for a newer one.
    write('tsconfig.json', '{}')
    const reference = { text: 'Reference (OpenAPI)', link: '/reference.html', target: '_blank' }
    const sidebar = sections.map(({ title, pages }) => ({
      text: title,
      items: [
        ...pages.map((page) => ({ text: page.title, link: `/${page.path.replace(/(index)?\.md$/, '')}` })),
        ...(title === 'Take a payment' ? [reference] : []),
      ],
    }))
    write('.vitepress/sidebar.json', JSON.stringify(sidebar))

    const generator = join(tools, 'node_modules/vitepress/bin/vitepress.js')
    const { status } = spawnSync(process.execPath, [generator, 'build', work, '--outDir', output], { stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
    else {
      const dead = deadLinks(output)
      for (const link of dead) console.error(`This link leads nowhere: ${link}`)
      if (dead.length > 0) process.exitCode = 1
      else console.log(`The site is in ${output}. Any static web server can publish it.`)
    }
  } finally {
    rmSync(work, { recursive: true })
  }
}
