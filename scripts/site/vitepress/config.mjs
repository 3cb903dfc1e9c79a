import { readFileSync } from 'node:fs'
import { githubAnchor } from './github-anchor.ts'

const sidebar = JSON.parse(readFileSync(new URL('sidebar.json', import.meta.url), 'utf8'))

export default {
  title: 'Holdfast',
  description: 'A payment service in front of several payment gateways.',
  themeConfig: {
    sidebar,
    outline: [2, 3],
    // A name such as auto_capture_at is several words to the search, all of which must be found.
    search: { provider: 'local', options: { miniSearch: { searchOptions: { combineWith: 'AND' } } } },
  },
  markdown: {
    anchor: { slugify: githubAnchor },
    config(md) {
      const { fence } = md.renderer.rules
      md.renderer.rules.fence = (tokens, index, ...rest) =>
        tokens[index].info.trim() === 'mermaid'
          ? `<Diagram code="${encodeURIComponent(tokens[index].content)}" />`
          : fence(tokens, index, ...rest)
    },
  },
  // Mermaid is one large part, loaded by pages with a diagram only.
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
}
