import type { Condition } from '../../domain/routing/condition.ts'
import { type RuleKind, STRATEGIES, type Strategy } from '../../domain/routing/rule.ts'
import { type Offsets, parseCondition } from './parse-condition.ts'
import type { Scanner } from './scanner.ts'

/** What was given between the braces of a rule. */
export interface Properties {
  enabled: boolean
  condition: Condition | null
  tags: string[]
  gateways: { id: string; weight: number | null }[]
  strategy: Strategy | null
  fallback: { enabled: boolean; errorCodes: string[]; maxAttempts: number | null } | null
  scaExemptionReason: string | null
  challengeIndicator: string | null
  runForCardVerifications: boolean
}

export function createProperties(): Properties {
  return {
    enabled: true,
    condition: null,
    tags: [],
    gateways: [],
    strategy: null,
    fallback: null,
    scaExemptionReason: null,
    challengeIndicator: null,
    runForCardVerifications: false,
  }
}

const ALL_KINDS = ['condition', 'tags', 'enabled', 'gateways']

/** The properties of each kind. Block and trigger_3ds know `gateways` too, so that it can be left blank there. */
export const PROPERTIES_OF: Readonly<Record<RuleKind, readonly string[]>> = {
  block: [...ALL_KINDS, 'run_for_card_verifications'],
  trigger_3ds: [...ALL_KINDS, 'run_for_card_verifications'],
  route: [...ALL_KINDS, 'strategy', 'fallback'],
  dynamic_3ds: [...ALL_KINDS, 'dynamic_3ds_params', 'run_for_card_verifications'],
}

const FALLBACK_NAMES = ['enabled', 'error_codes', 'max_attempts']
const THREE_DS_NAMES = ['sca_exemption_reason', 'challenge_indicator']

/** Reads the value of a property, by its name. */
export const PROPERTY_PARSERS: Readonly<Record<string, (scanner: Scanner, offsets: Offsets) => Partial<Properties>>> = {
  condition: (scanner, offsets) => ({ condition: parseCondition(scanner, offsets) }),
  tags: (scanner) => ({ tags: parseTags(scanner) }),
  enabled: (scanner) => ({ enabled: parseFlag(scanner) }),
  run_for_card_verifications: (scanner) => ({ runForCardVerifications: parseFlag(scanner) }),
  gateways: (scanner) => ({ gateways: parseGateways(scanner) }),
  strategy: (scanner) => ({ strategy: parseStrategy(scanner) }),
  fallback: (scanner) => ({ fallback: parseFallback(scanner) }),
  dynamic_3ds_params: parseThreeDs,
}

function parseThreeDs(scanner: Scanner): Partial<Properties> {
  const parameters: Partial<Properties> = {}
  parseBlock(scanner, THREE_DS_NAMES, 'the property', (name) => {
    const word = (scanner.quoted() ?? scanner.word() ?? scanner.failNext(['a value'])).replaceAll('_', '-')
    parameters[name === 'challenge_indicator' ? 'challengeIndicator' : 'scaExemptionReason'] = word
  })
  return parameters
}

/** Tags stand as they are, up to a comma or the end of the property; with quotes they may contain those. */
function parseTags(scanner: Scanner): string[] {
  const tags: string[] = []
  do {
    const tag = scanner.quoted() ?? scanner.rawUntil(',;{}"')
    if (tag === '') scanner.failNext(['a tag'])
    tags.push(tag)
  } while (scanner.take(','))
  return tags
}

function parseFlag(scanner: Scanner): boolean {
  const offset = scanner.offset()
  const word = scanner.word() ?? scanner.failNext(['true', 'false'])
  if (word !== 'true' && word !== 'false') scanner.failUnknown(offset, 'the value', word, ['true', 'false'])
  return word === 'true'
}

function parseGateways(scanner: Scanner): Properties['gateways'] {
  const gateways: Properties['gateways'] = []
  do {
    const id = scanner.word() ?? scanner.failNext(['the id of a gateway configuration'])
    gateways.push({ id, weight: scanner.peekWord() === null ? null : parseWholeNumber(scanner) })
  } while (scanner.take(','))
  return gateways
}

/** Longer numbers are above every limit. */
const WHOLE_NUMBER = /^\d{1,6}$/

function parseWholeNumber(scanner: Scanner): number {
  const offset = scanner.offset()
  const word = scanner.word() ?? scanner.failNext(['a whole number'])
  if (!WHOLE_NUMBER.test(word)) scanner.fail(offset, 'a whole number is expected here')
  return Number(word)
}

function parseStrategy(scanner: Scanner): Strategy {
  const offset = scanner.offset()
  const word = scanner.word() ?? scanner.failNext(STRATEGIES)
  return STRATEGIES.find((one) => one === word) ?? scanner.failUnknown(offset, 'the strategy', word, STRATEGIES)
}

/** Written out as a block, or `true` and `false` for one with all defaults, and for none. */
function parseFallback(scanner: Scanner): Properties['fallback'] {
  const fallback = { enabled: true, errorCodes: [] as string[], maxAttempts: null as number | null }
  if (!scanner.isNext('{')) return parseFlag(scanner) ? fallback : null
  parseBlock(scanner, FALLBACK_NAMES, 'the property', (name) => {
    if (name === 'enabled') fallback.enabled = parseFlag(scanner)
    else if (name === 'max_attempts') fallback.maxAttempts = parseWholeNumber(scanner)
    else fallback.errorCodes = parseWords(scanner)
  })
  return fallback
}

function parseWords(scanner: Scanner): string[] {
  const words: string[] = []
  do words.push(scanner.word() ?? scanner.failNext(['an error code']))
  while (scanner.take(','))
  return words
}

/**
 * Reads `{ name: value; … }`, each name once, and blank values as if they were not there.
 *
 * @param what a name is, for the error where it is not known.
 * @returns where each name stands.
 */
export function parseBlock(
  scanner: Scanner,
  names: readonly string[],
  what: string,
  parseValue: (name: string) => void,
): ReadonlyMap<string, number> {
  scanner.expect('{')
  const given = new Map<string, number>()
  while (!scanner.isNext('}')) {
    const offset = scanner.offset()
    const name = scanner.word() ?? scanner.failNext([...names, '"}"'])
    if (!names.includes(name)) scanner.failUnknown(offset, what, name, names)
    if (given.has(name)) scanner.fail(offset, `${name} is given twice`)
    given.set(name, offset)
    scanner.expect(':')
    if (!scanner.isNext(';') && !scanner.isNext('}')) parseValue(name)
    if (!scanner.take(';') && !scanner.isNext('}')) scanner.failNext(['";"', '"}"'])
  }
  scanner.expect('}')
  return given
}
