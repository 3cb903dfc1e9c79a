export const limits = {
  title: 'Rate limits',
  about: 'A request above a limit is answered with 429, and says when to try again.',
  howFarBack: 'How far back',
  span: {
    hour: 'An hour',
    sixHours: '6 hours',
    day: 'A day',
  },
  kind: {
    primary: {
      title: 'Requests of your servers',
      about: 'All requests with a secret key, except events.',
    },
    secondary: {
      title: 'Reading events',
      about: 'The list of events, and events by their id.',
    },
    sandbox: {
      title: 'Sandbox',
      about: 'All requests with your keys in the sandbox.',
    },
    client_address: {
      title: 'Browsers and apps, each address',
      about: 'Of customers, without a secret key.',
    },
    client_invoice: {
      title: 'Browsers and apps, each invoice',
      about: 'Of customers, without a secret key.',
    },
  },
  perMinute: '{limit, plural, one {# request} other {# requests}} a minute{refused, plural, =0 {} other {, # refused}}',
  chart:
    '{title}: requests, refusals and what was left, in the last {minutes, plural, one {# minute} other {# minutes}}',
  admitted: 'Admitted',
  refused: 'Refused',
  unused: 'No request in this time.',
  least: 'Least that was left',
  gauge: '{title}: what is left now',
  left: '<strong>{count, number}</strong> left now',
} as const
