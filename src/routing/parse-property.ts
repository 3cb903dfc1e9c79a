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

/** Reads the value of a property into the others; a blank one leaves what holds without it. */
export function parseProperty(name: string, properties: Properties, scanner: Scanner, offsets: Offsets): void {
  if (isBlank(scanner)) return
  switch (name) {
    case 'condition':
      properties.condition = parseCondition(scanner, offsets)
      return
    case 'tags':
      properties.tags = parseTags(scanner)
      return
    case 'enabled':
      properties.enabled = parseFlag(scanner)
      return
    case 'run_for_card_verifications':
      properties.runForCardVerifications = parseFlag(scanner)
      return
    case 'gateways':
      properties.gateways = parseGateways(scanner)
      return
    case 'strategy':
      properties.strategy = parseStrategy(scanner)
      return
    case 'fallback':
      properties.fallback = parseFallback(scanner)
      return
    case 'dynamic_3ds_params':
      parseBlock(scanner, THREE_DS_NAMES, (parameter) => {
        const word = (scanner.quoted() ?? scanner.word() ?? scanner.failNext(['a value'])).replaceAll('_', '-')
        if (parameter === 'challenge_indicator') properties.challengeIndicator = word
        else properties.scaExemptionReason = word
      })
  }
}

function isBlank(scanner: Scanner): boolean {
  return scanner.isNext(';') || scanner.isNext('}')
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
  parseBlock(scanner, FALLBACK_NAMES, (name) => {
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

/** Reads `{ name: value; … }`, each name once, and blank values as if they were not there. */
function parseBlock(scanner: Scanner, names: readonly string[], parseValue: (name: string) => void): void {
  scanner.expect('{')
  const given = new Set<string>()
  while (!scanner.isNext('}')) {
    const offset = scanner.offset()
    const name = scanner.word() ?? scanner.failNext([...names, '"}"'])
    if (!names.includes(name)) scanner.failUnknown(offset, 'the property', name, names)
    if (given.has(name)) scanner.fail(offset, `${name} is given twice`)
    given.add(name)
    scanner.expect(':')
    if (!isBlank(scanner)) parseValue(name)
    if (!scanner.take(';') && !scanner.isNext('}')) scanner.failNext(['";"', '"}"'])
  }
  scanner.expect('}')
}
