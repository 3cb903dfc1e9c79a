// What the reference does in a browser: find, choose a language, copy, and fill in address and keys.
const all = (selector, within = document) => [...within.querySelectorAll(selector)]
const byId = (id) => document.getElementById(id)

/** Nothing is kept where the browser allows no storage. */
const storage = {
  read(name) {
    try {
      return localStorage.getItem(`reference-${name}`)
    } catch {
      return null
    }
  },
  keep(name, value) {
    try {
      localStorage.setItem(`reference-${name}`, value)
    } catch {}
  },
}

document.documentElement.classList.add('scripted')

// Samples

function choose(language) {
  for (const figure of all('figure.sample')) {
    const samples = all('pre', figure)
    const shown = samples.find((one) => one.dataset.language === language) ?? samples[0]
    for (const one of samples) one.hidden = one !== shown
    for (const button of all('[data-choose]', figure))
      button.setAttribute('aria-pressed', String(button.dataset.choose === shown.dataset.language))
  }
}

function addCopyButton(figure) {
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(all('pre', figure).find((one) => !one.hidden).textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  figure.querySelector('.languages').append(button)
}

document.addEventListener('click', ({ target }) => {
  const { choose: language } = target.dataset ?? {}
  if (language === undefined) return
  // What is above changes its height as well, so the page stays where the reader has clicked.
  const before = target.getBoundingClientRect().top
  choose(language)
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
  storage.keep('language', language)
})

if (navigator.clipboard !== undefined) all('figure.sample').forEach(addCopyButton)
choose(storage.read('language') ?? 'curl')

// Address and keys: a published copy of this page belongs to no service.

const texts = new Map(all('figure.sample code').map((code) => [code, code.textContent]))
const values = { address: 'https://payments.example', project: 'test-proj_…', secret: 'key_…' }
const written = { ...values }

function fill(changed) {
  Object.assign(values, changed)
  for (const [code, text] of texts)
    code.textContent = Object.keys(values).reduce((now, name) => now.replaceAll(written[name], values[name]), text)
  for (const [name, value] of Object.entries(values)) byId(name).textContent = value
}

const say = (text, link) => {
  const parts = link === undefined ? [] : [Object.assign(document.createElement('a'), link)]
  byId('filled').replaceChildren(text, ...parts)
}

async function ask(path, headers = {}) {
  const answer = await fetch(`dashboard/${path}`, { headers })
  return answer.ok ? answer.json() : null
}

async function fillKeys() {
  const { session } = (await ask('session')) ?? {}
  const project = session?.projects.find(({ environment }) => environment === 'sandbox')
  if (session === undefined || session.needs_second_factor) {
    say('', { href: 'dashboard/', textContent: 'Sign in to the dashboard first.' })
    return
  }
  if (project === undefined) {
    say('You have no sandbox project.')
    return
  }
  const kept = project.manages_api_keys ? await ask('sandbox-key', { 'X-Project-Id': project.id }) : null
  fill({ project: project.id, ...(kept?.secret_key ? { secret: kept.secret_key } : {}) })
  storage.keep('keys', 'filled')
  byId('fill').hidden = true
  if (kept?.secret_key) say(`Filled in for ${project.name}.`)
  else say('The service does not keep secret keys. ', { href: 'dashboard/', textContent: 'Make one in the dashboard.' })
}

if (location.pathname.endsWith('/docs')) {
  byId('keys').hidden = false
  byId('fill').hidden = false
  byId('fill').addEventListener('click', fillKeys)
  fill({ address: new URL('.', location.href).href.replace(/\/$/, '') })
  if (storage.read('keys') !== null) void fillKeys()
}

// Search

/** Guides and other pages, asked for when somebody begins to search; without them the reference alone is searched. */
async function addPages() {
  const answer = await fetch('docs/pages.json').catch(() => null)
  if (answer === null || !answer.ok) return
  const pages = (await answer.json()).map(({ title, page, href, text }) => ({
    ...{ href, title, page, low: title.toLowerCase(), names: [] },
    text: `${page} ${title} ${text}`.toLowerCase(),
  }))
  index = [...known(), ...pages]
  find()
}

let index
function known() {
  index ??= readReference()
  return index
}

function readReference() {
  return all('.operation, .object, .events > div, section.first').map((part) => {
    const heading = part.querySelector('h1, h3, dt')
    const names = all('.fields > div > dt > code, .call code', part).map((code) => code.textContent.toLowerCase())
    const title = heading.textContent
    const text = part.textContent.toLowerCase()
    return { href: `#${part.id || 'events'}`, title, page: '', low: title.toLowerCase(), names, text }
  })
}

/** The better, the lower, of all words: by title, by the page or the whole name of a field, by a part of it, by the text. */
function rankOf({ low, page, names, text }, words) {
  if (!words.every((word) => text.includes(word))) return null
  return words
    .map((word) => {
      if (low.includes(word)) return 0
      if (page.toLowerCase().includes(word) || names.includes(word)) return 1
      return names.some((name) => name.includes(word)) ? 2 : 3
    })
    .reduce((sum, rank) => sum + rank, 0)
}

const HITS_MAX = 30

function find() {
  const words = byId('find').value.toLowerCase().split(/\s+/).filter(Boolean)
  const hits = known()
    .map((entry) => ({ entry, rank: words.length === 0 ? null : rankOf(entry, words) }))
    .filter(({ rank }) => rank !== null)
    .sort((one, other) => one.rank - other.rank)
  byId('hits').hidden = words.length === 0
  document.querySelector('nav').hidden = words.length > 0
  byId('found').textContent = words.length === 0 ? '' : `${hits.length} found`
  byId('hits').replaceChildren(
    ...hits.slice(0, HITS_MAX).map(({ entry: { href, title, page, names } }) => {
      const link = Object.assign(document.createElement('a'), { href, textContent: title })
      const name = page || names.find((one) => words.some((word) => one.includes(word)))
      if (name) link.append(Object.assign(document.createElement('small'), { textContent: name }))
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
  if (words.length > 0 && hits.length === 0)
    byId('hits').append(Object.assign(document.createElement('li'), { textContent: 'Nothing found.' }))
}

byId('find').addEventListener('focus', addPages, { once: true })
byId('find').addEventListener('input', find)
byId('find').addEventListener('keydown', (event) => {
  if (event.key === 'Enter') byId('hits').querySelector('a')?.click()
  if (event.key === 'Escape') {
    byId('find').value = ''
    find()
  }
})
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
  const isAsked = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!isAsked) return
  event.preventDefault()
  open(true)
  byId('find').focus()
})

// The list of contents: folded on a narrow screen, and with the part that is read marked.

function open(isOpen) {
  byId('menu').setAttribute('aria-expanded', String(isOpen))
  document.documentElement.classList.toggle('open', isOpen)
}
byId('menu').addEventListener('click', () => open(byId('menu').getAttribute('aria-expanded') !== 'true'))
byId('contents').addEventListener('click', ({ target }) => {
  if (target.closest('a') !== null) open(false)
})

const links = new Map(all('nav a[href^="#"]').map((link) => [link.hash.slice(1), link]))
let current
const reading = new IntersectionObserver(
  (entries) => {
    const seen = entries.find(({ isIntersecting }) => isIntersecting)
    const link = links.get(seen?.target.id)
    if (link === undefined || link === current) return
    current?.removeAttribute('aria-current')
    current = link
    link.setAttribute('aria-current', 'true')
    const group = link.closest('details')
    for (const one of all('nav details')) if (one !== group && one.dataset.by === 'page') one.open = false
    if (group !== null && !group.open) Object.assign(group, { open: true }).dataset.by = 'page'
    link.scrollIntoView({ block: 'nearest' })
  },
  { rootMargin: '-15% 0px -80% 0px' },
)
for (const part of all('.operation, .object, #introduction, #events')) reading.observe(part)
