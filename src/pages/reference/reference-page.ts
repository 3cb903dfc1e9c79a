import { documentText, type Html, type HtmlChild, h } from '../html.ts'
import { inlineMarkdown, markdown } from '../markdown.ts'
import { type HrefOf, MADE_PAGES, type ShownPage, type ShownPages } from '../shown-pages.ts'
import { fieldList } from './fields.ts'
import { type Content, type OpenApi, type Operation, readDocument } from './open-api.ts'

/** Only files of ours run and are loaded. Keys are asked of the dashboard of the same origin. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const LANGUAGES = ['curl', 'Node', 'Python', 'PHP', 'CLI'] as const

/**
 * The reference of the interface as one page, made of its document. Everything is in the page, so that it is read and
 * searched without scripts, too; the script finds, copies, changes the language of samples and fills in address and keys.
 */
export function referencePage(document: unknown, pages: ShownPages, hrefOf: HrefOf): string {
  const api = readDocument(document)
  const head = [
    h('link', { rel: 'icon', href: 'docs/icon.svg' }),
    // The addresses are relative, so that it works under any path that a proxy puts in front.
    h('link', { rel: 'stylesheet', href: 'docs/reference.css' }),
    h('script', { type: 'module', src: 'docs/reference.js' }),
  ]
  const skip = h('a', { class: 'skip', href: '#introduction' }, 'Skip to the text')
  const main = h(
    'main',
    null,
    introduction(api, pages, hrefOf),
    api.sections.map((one) => sectionPart(api, one)),
    events(api),
    objects(api),
  )
  return documentText({ title: 'Holdfast API', lang: 'en', head, body: [skip, sidebar(api, pages, hrefOf), main] })
}

function sectionPart(api: OpenApi, { id, title, says, operations }: OpenApi['sections'][number]): Html {
  const articles = operations.map((operation) => operationArticle(api, operation))
  return h('section', { id, class: 'part' }, h('h2', null, title), h('p', null, inlineMarkdown(says)), articles)
}

function events({ events: listed }: OpenApi): Html {
  return h(
    'section',
    { id: 'events', class: 'part' },
    h('h2', null, 'Webhook events'),
    h('p', null, 'You are sent the id and the name of an event. Fetch the event for its data.'),
    h(
      'dl',
      { class: 'events' },
      listed.map(({ name, says }) => h('div', null, h('dt', null, h('code', null, name)), h('dd', null, says))),
    ),
  )
}

function objects(api: OpenApi): Html {
  const articles = api.objects.map(({ name, id, schema }) =>
    h('article', { id, class: 'object' }, h('h3', null, name), fieldList(api, schema, { isAnswer: true })),
  )
  return h(
    'section',
    { id: 'objects', class: 'part' },
    h('h2', null, 'Objects'),
    h('p', null, 'What answers are made of.'),
    articles,
  )
}

function sidebar(api: OpenApi, { guides, topics }: ShownPages, hrefOf: HrefOf): Html {
  const pageLink = (page: ShownPage) => h('li', null, h('a', { href: hrefOf(page) }, page.title))
  const group = (title: string, links: readonly Html[]) =>
    h('li', null, h('details', null, h('summary', null, title), h('ul', null, links)))
  const link = (id: string, label: HtmlChild, attributes = {}) =>
    h('li', null, h('a', { href: `#${id}`, ...attributes }, label))
  return h(
    'header',
    { class: 'side' },
    h(
      'div',
      { class: 'brand' },
      h('a', { href: '#introduction' }, mark(), 'Holdfast API'),
      h('button', { type: 'button', id: 'menu', 'aria-expanded': 'false', 'aria-controls': 'contents' }, 'Contents'),
    ),
    h(
      'div',
      { id: 'contents' },
      h(
        'div',
        { class: 'find', role: 'search' },
        h('label', { for: 'find', class: 'spoken' }, 'Search'),
        h('input', { id: 'find', type: 'search', placeholder: 'Search', autocomplete: 'off', spellcheck: 'false' }),
        h('kbd', { 'aria-hidden': 'true' }, '/'),
      ),
      h('p', { id: 'found', role: 'status', class: 'spoken' }),
      h('ol', { id: 'hits', hidden: true }),
      h(
        'nav',
        { 'aria-label': 'Contents' },
        h(
          'ul',
          null,
          link('introduction', 'Introduction'),
          group('Guides', guides.map(pageLink)),
          group('Topics', topics.map(pageLink)),
          MADE_PAGES.map(pageLink),
          h('li', { class: 'rule', 'aria-hidden': 'true' }),
          api.sections.map(({ title, operations }) =>
            group(
              title,
              operations.map(({ id, summary, method }) => link(id, [h('span', null, summary), methodName(method)])),
            ),
          ),
          link('events', 'Webhook events'),
          group(
            'Objects',
            api.objects.map(({ id, name }) => link(id, name)),
          ),
        ),
      ),
    ),
  )
}

function mark(): Html {
  return h(
    'svg',
    { viewBox: '0 0 32 32', width: '24', height: '24', 'aria-hidden': 'true', focusable: 'false' },
    h('rect', { width: '32', height: '32', rx: '8', class: 'mark' }),
    h('path', { d: 'M10 8v16M22 8v16M10 16h12', class: 'sign' }),
  )
}

const methodName = (method: string) => h('span', { class: `method ${method.toLowerCase()}` }, method)

function introduction({ introduction: text, version }: OpenApi, { topics }: ShownPages, hrefOf: HrefOf): Html {
  const clients = topics.filter(({ source }) => source.startsWith('clients/'))
  return h(
    'section',
    { id: 'introduction', class: 'part first' },
    h('h1', null, 'Holdfast API ', h('small', null, version)),
    h(
      'div',
      { class: 'columns' },
      h(
        'div',
        { class: 'text' },
        markdown(text),
        h(
          'p',
          null,
          'The samples for Node and CLI need what a checkout of the repository packs, since no registry has it: ',
          clients.map((page, index) => [index > 0 && ', ', h('a', { href: hrefOf(page) }, page.title)]),
          '.',
        ),
        h('p', null, h('a', { href: 'openapi.json' }, 'openapi.json'), ' is this reference for programs.'),
      ),
      h(
        'aside',
        { class: 'beside', id: 'keys', 'aria-label': 'Address and keys of the samples', hidden: true },
        h('h2', null, 'In the samples'),
        h(
          'dl',
          null,
          h('dt', null, 'Address'),
          h('dd', null, h('code', { id: 'address' })),
          h('dt', null, 'Project id'),
          h('dd', null, h('code', { id: 'project' })),
          h('dt', null, 'Secret key'),
          h('dd', null, h('code', { id: 'secret' })),
        ),
        h('button', { type: 'button', id: 'fill', hidden: true }, 'Fill in my sandbox keys'),
        h('p', { id: 'filled', role: 'status' }),
      ),
    ),
  )
}

function operationArticle(api: OpenApi, operation: Operation): Html {
  const { id, method, path, summary, description, parameters, body, refusals, samples, answers } = operation
  return h(
    'article',
    { id, class: 'operation' },
    h('h3', null, h('a', { href: `#${id}` }, summary)),
    h(
      'div',
      { class: 'columns' },
      h(
        'div',
        { class: 'text' },
        h('p', { class: 'call' }, methodName(method), ' ', h('code', null, path)),
        markdown(description),
        (['path', 'body', 'query', 'header'] as const).map((place) => {
          if (place === 'body') return body !== null && [h('h4', null, 'Body'), fieldList(api, body, {})]
          const listed = parameters.filter((one) => one.in === place)
          return listed.length > 0 && [h('h4', null, PLACES[place]), fieldList(api, asSchema(listed), {})]
        }),
        answers.filter(({ status }) => status === '200').map(answerText),
        refusals.length > 0 &&
          h(
            'details',
            { class: 'refusals' },
            h('summary', null, 'Errors'),
            h(
              'dl',
              null,
              refusals.map(({ status, code, when }) =>
                h('div', null, h('dt', null, status, ' ', h('code', null, code)), h('dd', null, inlineMarkdown(when))),
              ),
            ),
          ),
      ),
      h('div', { class: 'beside' }, sampleBlock(summary, samples), answers.map(answerBlock)),
    ),
  )
}

/** Its first paragraph, and the others folded up. */
function answerText({ objectId, objectName, says }: Content): HtmlChild {
  const [first = '', ...others] = says.split('\n\n')
  return [
    h(
      'p',
      { class: 'answers' },
      h('strong', null, 'Answers '),
      inlineMarkdown(first),
      objectId !== null && [' ', h('a', { href: `#${objectId}` }, objectName)],
    ),
    others.length > 0 &&
      h(
        'details',
        { class: 'within' },
        h('summary', null, 'To clients'),
        others.flatMap((text) => markdown(text)),
      ),
  ]
}

const PLACES: Readonly<Record<string, string>> = { path: 'In the address', query: 'In the query', header: 'Headers' }

/** Parameters as the fields of an object. */
const asSchema = (parameters: Operation['parameters']) => ({
  type: 'object',
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, { ...schema, description: description ?? '' }]),
  ),
  required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
})

/** In each language; the page shows the one that is chosen, which without scripts is the first. */
function sampleBlock(summary: string, samples: Operation['samples']): Html {
  return h(
    'figure',
    { class: 'sample', 'aria-label': `${summary}: samples` },
    h(
      'figcaption',
      null,
      h('span', null, 'Request'),
      h(
        'span',
        { class: 'languages' },
        LANGUAGES.filter((one) => samples.some(({ label }) => label === one)).map((one) =>
          h('button', { type: 'button', 'data-choose': one, 'aria-pressed': String(one === 'curl') }, one),
        ),
      ),
    ),
    samples.map(({ label, source }) => h('pre', { 'data-language': label, tabindex: '0' }, h('code', null, source))),
  )
}

function answerBlock({ status, examples }: Content): HtmlChild {
  const [first, ...others] = examples
  if (first === undefined) return null
  const block = ({ name, value }: Content['examples'][number], isOpen: boolean) =>
    h(
      'details',
      { class: 'sample answer', open: isOpen },
      h('summary', null, h('span', { class: status === '200' ? 'done' : 'failed' }, status), ' ', name),
      h('pre', { tabindex: '0' }, h('code', null, typeof value === 'string' ? value : JSON.stringify(value, null, 2))),
    )
  return [block(first, status === '200'), others.map((one) => block(one, false))]
}
