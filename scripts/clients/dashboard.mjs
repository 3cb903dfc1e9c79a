/** The pages of the dashboard, which the API serves from `/dashboard/`. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
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
  'react-remove-scroll': join(ROOT, 'scripts/clients/react-remove-scroll.mjs'),
  // The messages are compiled here, so that pages need no parser of them.
  'use-intl/format-message': 'use-intl/format-message/format-only',
}

/**
 * What components of Mantine bring along, as `Menu.Sub`, and no page uses, and what its provider would write into the page,
 * which `app.tsx` forbids. A bundler cannot leave out what is a property or a choice, and it would be 4 % of all that may be
 * loaded.
 */
const UNUSED = [
  ...['ActionIconGroupSection', 'ButtonGroupSection', 'CheckboxIndicator', 'ComboboxSearch', 'MenuCheckboxItem'],
  ...['MenuContextMenu', 'MenuSearch', 'MenuSub', 'PopoverContextMenu', 'RadioIndicator', 'TableDataRenderer'],
  ...['MantineClasses', 'MantineCssVariables', 'TooltipFloating'],
]

const withoutUnused = {
  name: 'without-unused',
  setup({ onLoad }) {
    const files = new RegExp(`/@mantine/core/esm/(?:components|core)/.*/(?:${UNUSED.join('|')})\\.mjs$`)
    // A page that does use one must fail: without a component its place would be filled with rubbish.
    onLoad({ filter: files }, ({ path }) => {
      const name = basename(path, '.mjs')
      return { contents: `export const ${name} = () => { throw new Error('${name} is left out of the build') }` }
    })
  },
}

/** The icons' paths to a hundredth of a pixel, at which they look the same: 1 % of all that may be loaded. */
const roundedIcons = {
  name: 'rounded-icons',
  setup({ onLoad }) {
    onLoad({ filter: /@radix-ui\/react-icons\/.*\.esm\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      return { contents: text.replaceAll(/\d+\.\d{3,}/g, (number) => String(Math.round(number * 100) / 100)) }
    })
  },
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

/**
 * Makes each language a file of its own, of compiled messages, which only its readers load.
 *
 * @param files gets them, by their names
 */
function languages(bundle, files) {
  async function read(path) {
    const built = await bundle({ entryPoints: [path], bundle: true, write: false, format: 'esm', tsconfigRaw: '{}' })
    const { default: texts } = await import(`data:text/javascript,${encodeURIComponent(built.outputFiles[0].text)}`)
    return texts
  }
  return {
    name: 'languages',
    setup({ onResolve }) {
      onResolve({ filter: /\/catalogue\/\w+\/index\.ts$/ }, async ({ path, resolveDir, kind }) => {
        if (kind !== 'dynamic-import') return undefined
        const { default: compile } = await import('icu-minify/compile')
        const compiled = (texts) => {
          if (typeof texts === 'string') return compile(texts)
          if (Array.isArray(texts)) return texts.map(compiled)
          return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compiled(text)]))
        }
        const text = `export default ${JSON.stringify(compiled(await read(join(resolveDir, path))))}\n`
        const name = hashedName(`${path.split('/').at(-2)}.js`, text)
        files.set(name, text)
        return { path: `/dashboard/assets/${name}`, external: true }
      })
    },
  }
}

async function build() {
  const [{ build: bundle }, { minify }] = await Promise.all([import('esbuild'), import('@swc/core')])
  const files = new Map()
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
    plugins: [withoutUnused, roundedIcons, languages(bundle, files)],
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const page = { script: 'main.js', style: 'main.css' }
  for (const [part, name] of Object.entries(page)) {
    const built = outputFiles.find(({ path }) => path.endsWith(`/${name}`)).text
    // After esbuild it still finds 4 % of the compressed script.
    const text =
      part === 'script' ? (await minify(built, { module: true, compress: { passes: 3 }, mangle: true })).code : built
    page[part] = hashedName(name, text)
    files.set(page[part], text)
  }
  const template = readFileSync(join(CLIENT, 'src/index.html'), 'utf8')
  return files.set(
    'index.html',
    template.replaceAll(/\{\{(\w+)\}\}/g, (_, part) => page[part]),
  )
}
