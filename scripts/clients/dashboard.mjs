/** The pages of the dashboard, which the API serves from `/dashboard/`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashedName, ROOT } from './files.mjs'

const CLIENT = join(ROOT, 'clients/dashboard')

/** Those that have color-mix() and :has(), which the styles need. */
const BROWSERS = ['chrome115', 'edge115', 'firefox121', 'safari16.4', 'ios16.4']

/** Preact in place of React, which would be a third of all that may be loaded. */
const ALIASES = {
  react: join(ROOT, 'scripts/clients/react.mjs'),
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
}

export const dashboard = {
  folder: CLIENT,
  sources: [
    'clients/dashboard/src',
    'domain',
    'scripts/build-clients.mjs',
    'scripts/clients',
    // The versions of the libraries.
    'package-lock.json',
  ],
  kept: () => [],
  build,
}

async function build() {
  const { build: bundle } = await import('esbuild')
  const { outputFiles } = await bundle({
    entryPoints: [join(CLIENT, 'src/main.tsx')],
    outdir: join(CLIENT, 'dist'),
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    tsconfigRaw: '{}',
    target: BROWSERS,
    alias: ALIASES,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const page = { script: 'main.js', style: 'main.css' }
  const files = new Map()
  for (const [part, name] of Object.entries(page)) {
    const { text } = outputFiles.find(({ path }) => path.endsWith(`/${name}`))
    page[part] = hashedName(name, text)
    files.set(page[part], text)
  }
  const template = readFileSync(join(CLIENT, 'src/index.html'), 'utf8')
  return files.set(
    'index.html',
    template.replaceAll(/\{\{(\w+)\}\}/g, (_, part) => page[part]),
  )
}
