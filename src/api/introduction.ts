/** What is said before everything else, in Markdown. */
export const INTRODUCTION = `One interface in front of several payment gateways: invoices are authorized, captured and refunded, and every change is an event that is sent to you.

**Authentication.** HTTP Basic: the id of your project and a secret key. Sandbox and live share nothing; the key decides. A page or an app sends the id of the project alone and may do what is marked for clients.

**Bodies** are JSON or \`application/x-www-form-urlencoded\`, where a nested field is written \`device[channel]\` or \`device.channel\`. An optional field may be left out or be \`null\`. A field that is not known is refused, and the nearest known name is told.

**Answers** have \`success\` and the object under its name. Later versions may add fields, so ignore those that you do not know. Amounts are decimal texts in the digits of their currency, instants are in UTC.

**Errors** have one form, with a code in \`error_type\`; each status tells what to do. A failed payment is 410, with the transaction as it is now.

**Once.** Every \`POST\`, \`PUT\` and \`DELETE\` takes an \`Idempotency-Key\`: send one with whatever must not happen twice, and repeat it after 409, 429, 5xx and answers that are lost.

**Limits** are per project and told on every answer; 429 says in \`Retry-After\` when to come again.

**Headers of any request.** \`X-Request-Id\`: an id of your own for the request, taken from secret keys only. \`Disable-Logging: true\` keeps the bodies of request and answer out of the request log. \`API-Version\` is accepted and changes nothing: there is one version.

**Headers of any answer.** \`X-Request-Id\`, by which support finds the case; \`x-ratelimit\` and \`x-ratelimit-remaining\`, the limit that the request counted towards and what is left; the same with its name as \`RateLimit-Policy\` and \`RateLimit\`.

**Webhooks** have an id and a type, and nothing else: fetch the event for its data. They are signed as [Standard Webhooks](https://www.standardwebhooks.com) says.`
