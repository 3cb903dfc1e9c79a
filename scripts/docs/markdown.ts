import type { Proof } from './proofs/proof.ts'

/** A table of Markdown; a cell must not hold a bar or a line break. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

/** A test by its title, with its file behind it. What Markdown would take for its own is kept from it. */
export function proofLink({ file, title }: Proof): string {
  const text = title.replaceAll(/[\\`*_{}[\]<>|]/g, (character) => `\\${character}`)
  return `[${text}](../${file})`
}
