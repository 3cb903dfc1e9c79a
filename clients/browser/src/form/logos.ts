const SVG = 'http://www.w3.org/2000/svg'

/** Plain badges in colours that remind of the scheme: a word on a card, or two discs. */
type Logo = { name: string; paper: string } & ({ word: string; ink: string } | { discs: readonly [string, string] })

const LOGOS: Readonly<Record<string, Logo>> = {
  visa: { name: 'Visa', paper: '#1b2a78', word: 'VISA', ink: '#fff' },
  mastercard: { name: 'Mastercard', paper: '#23262b', discs: ['#e0243a', '#f2a33a'] },
  maestro: { name: 'Maestro', paper: '#23262b', discs: ['#2a6fd1', '#e0243a'] },
  'american express': { name: 'American Express', paper: '#1f6fb8', word: 'AMEX', ink: '#fff' },
  'diners club': { name: 'Diners Club', paper: '#f4f6f8', word: 'Diners', ink: '#14507f' },
  discover: { name: 'Discover', paper: '#f4f6f8', word: 'Discover', ink: '#9a4f08' },
  jcb: { name: 'JCB', paper: '#0d6b3d', word: 'JCB', ink: '#fff' },
  'union pay': { name: 'UnionPay', paper: '#06646c', word: 'Union', ink: '#fff' },
  mir: { name: 'Mir', paper: '#0a6b3a', word: 'MIR', ink: '#fff' },
  troy: { name: 'Troy', paper: '#23262b', word: 'troy', ink: '#5fd0de' },
  'carte bancaire': { name: 'Carte Bancaire', paper: '#0b5fa5', word: 'CB', ink: '#fff' },
  dankort: { name: 'Dankort', paper: '#b3121f', word: 'DK', ink: '#fff' },
}

/** The name of a scheme as people write it; that of an unknown one as it is. */
export function schemeName(scheme: string): string {
  return LOGOS[scheme]?.name ?? scheme
}

/** Null for a scheme without a logo. */
export function makeLogo(scheme: string): SVGElement | null {
  const logo = LOGOS[scheme]
  if (logo === undefined) return null
  const svg = shape('svg', { viewBox: '0 0 40 26', width: '40', height: '26', role: 'img', 'aria-label': logo.name })
  svg.append(shape('rect', { width: '40', height: '26', rx: '4', fill: logo.paper }))
  if ('discs' in logo) {
    const [left, right] = logo.discs
    svg.append(
      shape('circle', { cx: '16', cy: '13', r: '7', fill: left }),
      shape('circle', { cx: '24', cy: '13', r: '7', fill: right, 'fill-opacity': '0.85' }),
    )
    return svg
  }
  const size = logo.word.length > 5 ? '8.5' : '12'
  const text = shape('text', { x: '20', y: '17', 'text-anchor': 'middle', fill: logo.ink, 'font-size': size })
  text.setAttribute('font-family', 'system-ui, sans-serif')
  text.setAttribute('font-weight', '700')
  text.textContent = logo.word
  svg.append(text)
  return svg
}

function shape(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS(SVG, name) as SVGElement
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  return element
}
