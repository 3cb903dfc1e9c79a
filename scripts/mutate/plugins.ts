/** What Stryker loads beside itself. */
import { createHash } from 'node:crypto'

/** What Stryker tells about a mutant. */
export interface Mutant {
  id: string
  fileName: string
  location: { start: { line: number; column: number }; end: { line: number; column: number } }
  replacement: string
  status?: string
}

const pathOf = ({ fileName }: Mutant) => fileName.replace(`${process.cwd()}/`, '')

/** Lets a sample of all mutants pass. A seed chooses the same ones while their code stays as it is. */
class Sample {
  async init(): Promise<void> {}

  /** All in one group, since the sample is one of all. */
  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants: Mutant[]): Promise<Record<string, { status: string; reason?: string }>> {
    const { MUTATE_SAMPLE: size, MUTATE_SEED: seed } = process.env
    const ranked = mutants.map((mutant) => {
      const { id, location, replacement } = mutant
      const identity = JSON.stringify([seed, pathOf(mutant), location, replacement])
      return { id, rank: createHash('sha256').update(identity).digest('hex') }
    })
    ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1))
    return Object.fromEntries(
      ranked.map(({ id }, place) => [
        id,
        place < Number(size) ? { status: 'passed' } : { status: 'compileError', reason: 'It is not in the sample.' },
      ]),
    )
  }
}

/** Whether the tests ran with the mutant: it is in the sample, and no mutant of a text. */
export const isTried = ({ status }: Mutant): boolean => status !== 'CompileError' && status !== 'Ignored'

/** Tells each result when it is there. */
class Results {
  #count = 0

  onMutantTested(mutant: Mutant): void {
    if (!isTried(mutant)) return
    this.#count += 1
    const { line, column } = mutant.location.start
    const what = `${pathOf(mutant)}:${line}:${column}`
    const change = mutant.status === 'Survived' ? ` became ${mutant.replacement}` : ''
    process.stdout.write(`${this.#count} of ${process.env.MUTATE_SAMPLE}: ${mutant.status} ${what}${change}\n`)
  }
}

export const strykerPlugins = [
  { kind: 'Checker', name: 'sample', injectableClass: Sample },
  { kind: 'Reporter', name: 'results', injectableClass: Results },
]
