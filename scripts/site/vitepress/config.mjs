import { readFileSync } from 'node:fs'
import { githubAnchor } from './github-anchor.ts'

const sidebar = JSON.parse(readFileSync(new URL('sidebar.json', import.meta.url), 'utf8'))

export default {
  title: 'Holdfast',
  description: 'A payment service in front of several payment gateways.',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/logo.svg' }]],
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guides', link: '/guides/' },
      { text: 'Interface', link: '/api' },
      { text: 'Run it', link: '/guides/self-hosting' },
    ],
    sidebar,
    outline: [2, 3],
    notFound: {
      title: 'There is no such page',
      quote: 'The search finds the one that you mean.',
      linkLabel: 'To the first page',
      linkText: 'To the first page',
    },
    search: {
      provider: 'local',
      options: {
        // A name such as auto_capture_at is one word, and found by its parts as well. The generator writes these functions into
        // the pages as texts, so each stands for itself.
        miniSearch: {
          options: {
            tokenize: (text) =>
              (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => [...new Set([word, ...word.split('_')])]),
          },
          searchOptions: {
            combineWith: 'AND',
            tokenize: (text) => text.match(/[\p{L}\p{N}_]+/gu) ?? [],
            // What is nearly the same name is another field.
            fuzzy: (term) => (term.includes('_') ? false : 0.2),
          },
        },
      },
    },
  },
  markdown: {
    // The generator's own light theme is too pale on its grey.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: githubAnchor },
    config(md) {
      const { fence } = md.renderer.rules
      md.renderer.rules.fence = (tokens, index, ...rest) =>
        tokens[index].info.trim() === 'mermaid'
          ? `<Diagram code="${encodeURIComponent(tokens[index].content)}" />`
          : fence(tokens, index, ...rest)
    },
  },
}
