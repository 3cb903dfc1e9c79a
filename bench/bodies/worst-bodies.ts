import type { BodyLimits } from '../../src/http/middleware/body.ts'
import { NOTIFICATION_BYTES_MAX } from '../../src/http/routes/gateway-notifications.ts'

/** A body as it is sent, and what it tries. */
export interface WorstBody {
  name: string
  isForm: boolean
  text: string
}

/** Bodies of a route that reads as much as these limits say. */
function bodiesWithin(limits: BodyLimits) {
  /** As many of the parts, one after the other, as a body has room for. */
  function filled(begin: string, part: (index: number) => string, end: string, most = 40_000, bytes = limits.bytes) {
    const parts: string[] = []
    let left = bytes - begin.length - end.length
    for (let index = 0; index < most; index += 1) {
      const next = part(index)
      left -= next.length + 1
      if (left < 0) break
      parts.push(next)
    }
    return { begin, parts, end }
  }

  const json = (name: string, ...of: Parameters<typeof filled>): WorstBody => {
    const { begin, parts, end } = filled(...of)
    return { name, isForm: false, text: begin + parts.join(',') + end }
  }

  const form = (name: string, part: (index: number) => string, most = 40_000): WorstBody => ({
    name,
    isForm: true,
    text: filled('', part, '', most).parts.join('&'),
  })

  /** Entries that a body of most routes may have; more of them are refused before anybody looks at their names. */
  const ENTRIES_MAX = Math.min(limits.entries, 1_000) - 1
  const ROOM = limits.bytes - 200

  /** Values that are hard on whatever reads them, whatever the field is. */
  const HARD_VALUES: readonly [name: string, value: string][] = [
    ['a long text', JSON.stringify('a'.repeat(ROOM))],
    ['blanks', JSON.stringify(' '.repeat(ROOM))],
    ['digits', JSON.stringify('4'.repeat(ROOM))],
    ['card numbers', JSON.stringify('4242 4242-4242.4242 '.repeat(Math.floor(ROOM / 20)))],
    ['rows of digits that are searched', JSON.stringify(`${'4'.repeat(64)} a`.repeat(Math.floor(ROOM / 66)))],
    ['digits far apart', JSON.stringify('4   '.repeat(Math.floor(ROOM / 4)))],
    ['dots', JSON.stringify('.'.repeat(ROOM))],
    ['an address', JSON.stringify(`http://${'a.'.repeat(Math.floor(ROOM / 2) - 10)}`)],
    ['a query', JSON.stringify(`http://a/?${'a&'.repeat(Math.floor(ROOM / 2) - 10)}`)],
    ['at signs', JSON.stringify('a@'.repeat(Math.floor(ROOM / 2)))],
    ['colons', JSON.stringify('1:'.repeat(Math.floor(ROOM / 2)))],
    ['emoji', JSON.stringify('😀'.repeat(Math.floor(ROOM / 4)))],
    ['credentials', JSON.stringify('Basic '.repeat(Math.floor(ROOM / 6)))],
    ['beginnings of secrets', JSON.stringify('key_live_'.repeat(Math.floor(ROOM / 9)))],
    [
      'a continuation',
      JSON.stringify(`gway_req_${Buffer.from('{"url":"?token=test'.repeat(2_500)).toString('base64')}`.slice(0, ROOM)),
    ],
    ['a long number', '4'.repeat(ROOM)],
    ['a number with an exponent', `1e${'9'.repeat(ROOM)}`],
    ['escapes', `"${'\\u0041'.repeat(Math.floor(ROOM / 6))}"`],
  ]

  const INNER: readonly [name: string, part: (index: number) => string][] = [
    ['empty objects', () => '{}'],
    ['unknown objects', (index) => `{"nmae":"x","amuont":"${index}"}`],
    ['lines', () => '{"name":"a","amount":"1.00"}'],
    ['wrong lines', () => '{"name":"","amount":"x","quantity":0}'],
    ['near words', (index) => `"invoice.complete${index}"`],
    ['numbers', (index) => String(index)],
    ['lists', () => '[[[[]]]]'],
  ]

  /** What can be done with one field of a route. */
  function bodiesOfField(field: string): WorstBody[] {
    return [
      ...HARD_VALUES.map(([name, value]) => ({
        name: `${field}: ${name}`,
        isForm: false,
        text: `{"${field}":${value}}`,
      })),
      ...INNER.map(([name, part]) => json(`${field}: a list of ${name}`, `{"${field}":[`, part, ']}', 480)),
      ...INNER.slice(-3).map(([name, part]) =>
        json(`${field}: a list of 999 ${name}`, `{"${field}":[`, part, ']}', ENTRIES_MAX - 1),
      ),
      json(
        `${field}: an object of unknown names`,
        `{"${field}":{`,
        (index) => `"${`nmae_${index}`.padEnd(58, 'x')}":1`,
        '}}',
        ENTRIES_MAX - 1,
      ),
      json(`${field}: an object of many texts`, `{"${field}":{`, (index) => `"k${index}":"v"`, '}}', ENTRIES_MAX - 1),
      form(`${field}: a form with a list`, (index) => `${field}[${index}][nmae]=a`, 480),
      form(`${field}: a form with the same name`, () => `${field}=a`, ENTRIES_MAX),
      {
        name: `${field}: a form with a long value`,
        isForm: true,
        text: `${field}=${'%41'.repeat(Math.floor(ROOM / 3))}`,
      },
    ]
  }

  /** Names that are near to many known ones, of a length that many known ones have. */
  const near = (index: number) => `payment_tokne_${String(index).padStart(4, '0')}_return`

  /** What can be done with any route that takes a body. */
  function bodiesOfAll(): WorstBody[] {
    return [
      { name: 'nothing', isForm: false, text: '{}' },
      json('unknown names, near to known ones', '{', (index) => `"${near(index)}":1`, '}', ENTRIES_MAX),
      json(
        'unknown names of 60 characters',
        '{',
        (index) => `"${`${near(index)}_`.padEnd(60, 'submit_url_')}":1`,
        '}',
        ENTRIES_MAX,
      ),
      json(
        'unknown names of 12 characters',
        '{',
        (index) => `"amuont_${String(index).padStart(5, '0')}":1`,
        '}',
        ENTRIES_MAX,
      ),
      json(
        'unknown names that look like secrets',
        '{',
        (index) => `"${index}_api-key_${'a'.repeat(40)}":"4242424242424242"`,
        '}',
        ENTRIES_MAX,
      ),
      json('more names than are read', '{', (index) => `"a${index}":1`, '}'),
      json('nulls', '{', (index) => `"a${index}":null`, '}', ENTRIES_MAX),
      { name: 'one long name', isForm: false, text: `{"${'a'.repeat(ROOM)}":1}` },
      { name: 'one name of many steps', isForm: false, text: `{"a${'.a'.repeat(Math.floor(ROOM / 2))}":1}` },
      { name: 'one name of many brackets', isForm: false, text: `{"a${'[a]'.repeat(Math.floor(ROOM / 3))}":1}` },
      { name: 'one name of open brackets', isForm: false, text: `{"a${'[a'.repeat(Math.floor(ROOM / 2))}":1}` },
      { name: 'one name of dashes', isForm: false, text: `{"${'-'.repeat(ROOM)}":1}` },
      { name: 'one name of blanks', isForm: false, text: `{"${' '.repeat(ROOM)}":1}` },
      {
        name: 'one name of card numbers',
        isForm: false,
        text: `{"${'4242 4242-4242.4242 '.repeat(Math.floor(ROOM / 20))}":1}`,
      },
      json('dotted names', '{', (index) => `"a${index}.b.c.d.e.f.g":1`, '}', 140),
      json('dotted names of one object', '{', (index) => `"a.b.c.d.e.f.g${index}":1`, '}', ENTRIES_MAX - 8),
      json('names that are given twice', '{', () => '"name":1', '}'),
      { name: 'deep objects', isForm: false, text: `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}` },
      { name: 'deep lists', isForm: false, text: `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}` },
      { name: 'no JSON', isForm: false, text: '{'.repeat(ROOM) },
      { name: 'a text', isForm: false, text: JSON.stringify('a'.repeat(ROOM)) },
      form('a form of unknown names', (index) => `${near(index)}=1`, ENTRIES_MAX),
      form('a form of more names than are read', (index) => `a${index}=1`),
      form('a form of dotted names', (index) => `a${index}.b.c.d.e.f.g=1`, ENTRIES_MAX),
      form('a form of bracketed names', (index) => `a[b][c][d][e][f][g${index}]=1`, ENTRIES_MAX),
      form('a form of one list', () => 'a[]=1', ENTRIES_MAX),
      form('a form of places in a list', (index) => `a[${index * 1_000}]=1`, ENTRIES_MAX),
      form('a form with a list and its names', (index) => `a[${index % 2 === 0 ? index : `b${index}`}]=1`, ENTRIES_MAX),
      { name: 'a form with one long name', isForm: true, text: 'a'.repeat(ROOM) },
      { name: 'a form with one name of brackets', isForm: true, text: `a${'[a]'.repeat(Math.floor(ROOM / 3))}=1` },
      { name: 'a form with one name of dots', isForm: true, text: `a${'.a'.repeat(Math.floor(ROOM / 2))}=1` },
      { name: 'a form of escapes', isForm: true, text: `name=${'%'.repeat(ROOM)}` },
      { name: 'a form of ampersands', isForm: true, text: '&'.repeat(ROOM) },
    ]
  }

  const comparison = (name = 'amount') =>
    `{"kind":"comparison","operand":{"kind":"field","name":"${name}"},"operator":"==","value":"1"}`

  /** A tree of NOTs, as deep as it may be sent. */
  const deepCondition = (depth: number) =>
    `${'{"kind":"not","condition":'.repeat(depth)}${comparison()}${'}'.repeat(depth)}`

  const text = (name: string, part: string, begin = '', end = ''): WorstBody => {
    const room = limits.bytes - 100 - begin.length - end.length
    const length = JSON.stringify(part).length - 2
    return {
      name: `a text of ${name}`,
      isForm: false,
      text: JSON.stringify({ rules: begin + part.repeat(Math.floor(room / length)) + end, activate: false }),
    }
  }

  const ID = `gway_conf_${'a'.repeat(30)}`

  /** Rules as lists and as text; their bodies may have more entries than others. */
  function bodiesOfRules(): WorstBody[] {
    const rules = (name: string, part: (index: number) => string, most = 40_000) =>
      json(`rules: ${name}`, '{"activate":false,"rules":[', part, ']}', most)
    const inOne = (name: string, begin: string, part: (index: number) => string, end: string) =>
      json(`rules: ${name}`, `{"activate":false,"rules":[${begin}`, part, `${end}]}`)
    return [
      rules('empty objects', () => '{}'),
      rules('nulls', () => 'null'),
      rules('empty lists', () => '[]'),
      rules('unknown kinds', () => '{"kind":"blcok"}'),
      rules('blocks', () => '{"kind":"block"}'),
      rules('500 blocks', () => '{"kind":"block","condition_text":"amount > 10"}', 500),
      rules('500 routes', () => `{"kind":"route","gateways":[{"gateway_configuration_id":"${ID}"}]}`, 500),
      rules('unknown fields', () => '{"kind":"block","condtion":1}'),
      rules(
        'wrong operators',
        () =>
          `{"kind":"block","condition":{"kind":"comparison","operand":{"kind":"rand"},"operator":"not_in","value":"1"}}`,
      ),
      rules('wrong fields', () => `{"kind":"block","condition":${comparison('card_shceme')}}`),
      rules('conditions without a kind', () => '{"kind":"block","condition":{}}'),
      rules('texts that cannot be read', () => '{"kind":"block","condition_text":"amuont"}'),
      inOne(
        'one condition of many kinds',
        '{"kind":"block","condition":{"kind":"and","conditions":[',
        () => '{}',
        ']}}',
      ),
      inOne(
        'one condition of many comparisons',
        '{"kind":"block","condition":{"kind":"and","conditions":[',
        () => comparison(),
        ']}}',
      ),
      inOne(
        'one condition of many wrong names',
        '{"kind":"block","condition":{"kind":"and","conditions":[',
        () => comparison('card_shceme'),
        ']}}',
      ),
      inOne(
        'one condition of many wrong velocities',
        '{"kind":"block","condition":{"kind":"and","conditions":[',
        () =>
          '{"kind":"comparison","operand":{"kind":"velocity","path":"card_fingerpirnt","interval":"1h"},"operator":">","value":"1"}',
        ']}}',
      ),
      inOne(
        'a deep condition',
        '{"kind":"block","condition":',
        (index) => (index === 0 ? deepCondition(50) : 'null'),
        '}',
      ),
      inOne(
        'deep and wide conditions',
        '{"kind":"block","condition":{"kind":"or","conditions":[',
        () => deepCondition(15),
        ']}}',
      ),
      inOne(
        'a long list of values',
        '{"kind":"block","condition":{"kind":"comparison","operand":{"kind":"field","name":"card_scheme"},"operator":"in","value":[',
        () => '"vsia"',
        ']}}',
      ),
      inOne('many tags', '{"kind":"block","tags":[', () => '""', ']}'),
      inOne(
        'a long list of wrong values',
        '{"kind":"block","condition":{"kind":"comparison","operand":{"kind":"field","name":"card_scheme"},"operator":"in","value":[',
        () => '1',
        ']}}',
      ),
      inOne('many wrong tags', '{"kind":"block","tags":[', () => '1', ']}'),
      inOne('many gateways', '{"kind":"route","gateways":[', () => '{"gateway_configuration_id":"x"}', ']}'),
      inOne(
        'many unknown gateways',
        '{"kind":"route","gateways":[',
        () => `{"gateway_configuration_id":"${ID}"}`,
        ']}',
      ),
      inOne(
        'many near error codes',
        `{"kind":"route","gateways":[{"gateway_configuration_id":"${ID}"}],"fallback":{"error_codes":[`,
        (index) => `"card.acquirer-faild${index}"`,
        ']}}',
      ),
      inOne(
        'many short error codes',
        `{"kind":"route","gateways":[{"gateway_configuration_id":"${ID}"}],"fallback":{"error_codes":[`,
        () => '"card.declind"',
        ']}}',
      ),
      text('blanks', ' '),
      text('comments', '/**/'),
      text('comments without an end', '/*'),
      text('line ends', '\n'),
      text('stars', '*', '/*'),
      text('parentheses', '(', 'block{condition:'),
      text('NOTs', 'not ', 'block{condition:'),
      text('comparisons', 'amount>1 or ', 'block{condition:', 'amount>1}'),
      text('comparisons with mistakes', 'rand()>1h or ', 'block{condition:', 'amount>1}'),
      text('one long word', 'a', 'block{condition:'),
      text('a word of dashes', 'a-', 'block{condition:'),
      text('one quoted text', 'a', 'block{condition:card_scheme=="', '"}'),
      text('a quoted text of backslashes', '\\\\', 'block{condition:card_scheme=="', '"}'),
      text('a quoted text without an end', '\\"', 'block{condition:card_scheme=="'),
      text('values in a list', 'visa,', 'block{condition:card_scheme in (', 'visa)}'),
      text('wrong values in lists', `block{condition:card_iin in (${'x,'.repeat(400)}x)}`),
      text('tags', 'a,', 'block{tags:', 'a}'),
      text('a tag of blanks and comments', 'a /**/ ', 'block{tags:', '}'),
      text('gateways', `${ID},`, 'route{gateways:', `${ID}}`),
      text('gateways that are no ids', 'x,', 'route{gateways:', 'x}'),
      text(
        'near error codes',
        'card.acquirer-faild,',
        `route{gateways:${ID};fallback:{error_codes:`,
        'card.declined}}',
      ),
      text('blocks', 'block{}'),
      text('blocks with mistakes', 'block{condition:card_iin==x}\n'),
      text('routes', `route{gateways:${ID}}`),
      text('many currencies', 'currency==EUR and ', 'block{condition:', 'amount>1}'),
      text('amounts in currencies', '(currency==EUR and amount>1) or ', 'block{condition:', 'amount>1}'),
    ]
  }

  /** Notifications have more room, and are read before they are proven. */
  function notifications(): WorstBody[] {
    const item = (more: string) =>
      `{"NotificationRequestItem":{"eventCode":"CAPTURE","pspReference":"x","merchantAccountCode":"x","merchantReference":"x","amount":{"value":1,"currency":"EUR"},"success":"true","additionalData":{"hmacSignature":"${more}"}}}`
    const bytes = NOTIFICATION_BYTES_MAX
    return [
      json(
        'a notification of many items',
        '{"live":"false","notificationItems":[',
        () => item('x'),
        ']}',
        40_000,
        bytes,
      ),
      json('a notification of empty items', '{"live":"false","notificationItems":[', () => '{}', ']}', 100_000, bytes),
      {
        name: 'a deep notification',
        isForm: false,
        text: `{"notificationItems":${'['.repeat(bytes / 2 - 50)}${']'.repeat(bytes / 2 - 50)}}`,
      },
      { name: 'a notification that is a long text', isForm: false, text: JSON.stringify('a'.repeat(bytes - 10)) },
    ]
  }

  return { bodiesOfAll, bodiesOfField, bodiesOfRules, notifications }
}

/** What is sent to a route with these limits; `fields` are those that it knows. */
export function worstBodies(path: string, fields: readonly string[], limits: BodyLimits): WorstBody[] {
  const { bodiesOfAll, bodiesOfField, bodiesOfRules, notifications } = bodiesWithin(limits)
  if (path.includes('/notifications/')) return notifications()
  const takesRules = path === '/routing-rules' || path === '/routing-rules/explain'
  return [...bodiesOfAll(), ...fields.flatMap(bodiesOfField), ...(takesRules ? bodiesOfRules() : [])]
}

/** What can be sent as a query; all of it fits into the 16 KiB that an address and its headers may have. */
export function worstQueries(): string[] {
  const room = 14_000
  return [
    'expand[]=transaction.operations&'.repeat(room / 32),
    `expand=${'transaction.operations,'.repeat(room / 23)}`,
    `expand=${'a.'.repeat(room / 2)}`,
    `filter=${'amount:'.repeat(room / 7)}`,
    'filter[]=status:authorized&'.repeat(room / 27),
    'filter[]=created_at%3E=2026-11-21T00:00:00Z&'.repeat(room / 44),
    `filter=metadata.${'a'.repeat(room)}:b`,
    `filter=${'%20'.repeat(room / 3)}`,
    `start_after=${'a'.repeat(room)}`,
    'limit=1&'.repeat(room / 8),
    'a&'.repeat(room / 2),
    'amuont_0001=1&'.repeat(room / 14),
    Array.from({ length: room / 12 }, (_, index) => `nmae_${index}=1`)
      .join('&')
      .slice(0, room),
    `a${'[a]'.repeat(room / 3)}=1`,
    `a=${'4'.repeat(room)}`,
    `a=${'4 '
      .repeat(room / 2)
      .replaceAll(' ', '%20')
      .slice(0, room)}`,
    '%'.repeat(room),
  ]
}
