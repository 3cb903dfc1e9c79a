import { proofLink, table } from './markdown.ts'
import type { Claim } from './proofs/claim.ts'
import { DECISIONS } from './proofs/decisions.ts'
import { TRAPS } from './proofs/traps.ts'
import { WHOLE } from './proofs/whole.ts'

const INTRODUCTION = `# What shows that it is so

What holds of the whole, what commonly goes wrong with payments, and what was decided where it could have been otherwise; each with the tests that show it. What each endpoint answers is in [endpoints](endpoints.md), what a transaction can become in [states](states.md).`

/** The whole, traps and decisions, with the tests that show them. */
export function proofsPage(): string {
  const whole = table(['', 'how', 'shown by'], WHOLE.map(cellsOf))
  const traps = table(['trap', 'here', 'shown by'], TRAPS.map(cellsOf))
  const decisions = table(
    ['', 'decision', 'in short', 'shown by'],
    DECISIONS.map((claim, index) => [String(index + 1), ...cellsOf(claim)]),
  )
  return `${[INTRODUCTION, '## The whole', whole, '## Traps', traps, '## Decisions', decisions].join('\n\n')}\n`
}

function cellsOf({ about, says, proofs }: Claim): string[] {
  return [about, says, proofs.map(proofLink).join('<br>')]
}
