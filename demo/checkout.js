/** The shop's own script. It never sees a card number: the card form is a page of the service, in a frame. */
const client = new Holdfast.Client(document.body.dataset.project)
const form = document.querySelector('form')
const say = (text) => document.querySelector('#result').replaceChildren(text)
const read = (answer) => (answer.ok ? answer.json() : Promise.reject(Error('The shop has no such order. Begin anew.')))
const ask = (path, body) => fetch(path, body && { method: 'POST', body: JSON.stringify(body) }).then(read)
let order = JSON.parse(sessionStorage.getItem('order'))
const showOrder = () => location.assign(`/orders/${order.id}`)
await (location.pathname === '/' ? checkOut() : follow(`${location.pathname}/status`).catch(fail))

async function checkOut() {
  form.hidden = false
  form.oninput = () => form.pay.replaceChildren(`Pay €${22 * form.coffee.value + 7 * form.mug.value}.00`)
  form.oninput()
  // The page may have been loaded again in the middle of a payment.
  if (order !== null && (await client.resume(order.invoiceId).catch(fail))) return showOrder()
  const card = await client.setupForm('#card')
  card.on('submit', () => pay(card))
  form.pay.addEventListener('click', () => pay(card))
}

async function pay(card) {
  if (form.pay.disabled) return
  form.pay.disabled = true
  say('One moment, please.')
  try {
    const token = await client.tokenize(card)
    const wanted = { coffee: form.coffee.value, mug: form.mug.value, isSale: form.capture.value !== '' }
    // Another card pays the same order, another basket a new one.
    const isSame = JSON.stringify(wanted) === JSON.stringify(order?.wanted)
    order = isSame ? order : await ask('/orders', { id: crypto.randomUUID(), wanted })
    sessionStorage.setItem('order', JSON.stringify(order))
    const later = new Date(Date.now() + form.capture.value * 1000).toISOString()
    const capture = form.capture.value > 0 ? { auto_capture_at: later } : { authorize_only: !wanted.isSale }
    const saving = form.save.checked ? { save_source: true, client_secret: order.clientSecret } : {}
    client.makeCardPayment(order.invoiceId, token, { ...capture, ...saving }, showOrder, fail)
  } catch (error) {
    fail(error)
  }
}

function fail(error) {
  // The outcome is not known yet: the order waits for it, and nobody pays twice.
  if (error.code === 'payment.pending') return showOrder()
  // What is wrong with a field, the card form says beside it.
  say(Object.keys(error.fields ?? {}).length > 0 ? '' : error.message)
  form.pay.disabled = false
}

async function follow(status) {
  sessionStorage.removeItem('order')
  const { invoiceId } = await ask(status)
  // A page of the bank that has filled the window leads here, and the payment goes on.
  if (location.search.includes('token=')) await client.resume(invoiceId).catch(fail)
  for (const link of document.querySelectorAll('#links a')) link.href += invoiceId
  document.querySelector('#links').hidden = false
  for (;;) {
    const order = await ask(status)
    say(`Your order is ${order.status}.`)
    document.querySelector('#events').replaceChildren(order.events.join(', '))
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
