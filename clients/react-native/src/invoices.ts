import { type Api, Unanswered } from './api.ts'
import { authorize, quietly } from './authorization-flow.ts'
import { PaymentError } from './errors.ts'
import { type AuthorizationRequest, checkInvoiceId, checkRequest, isSameRequest } from './request.ts'
import type { AuthorizedInvoice, Invoice } from './resources.ts'
import type { ThreeDSService } from './three-d-s-service.ts'
import type { Timing } from './timing.ts'

/** What an app does with an invoice that the merchant's server has created. */
export interface Invoices {
  /**
   * Authorizes an invoice with a payment source, and lets the customer authenticate where the bank wants it.
   *
   * A call that is equal to one that is under way joins it.
   *
   * @param threeDSService its `cleanup` is called once, however this ends.
   * @throws PaymentError whose `kind` says what the app does about it.
   */
  authorizeInvoice(request: AuthorizationRequest, threeDSService: ThreeDSService): Promise<AuthorizedInvoice>

  /**
   * Reads an invoice, for instance to see what became of a payment that was open.
   *
   * @throws PaymentError
   */
  find(invoiceId: string): Promise<Invoice>
}

interface Running {
  request: AuthorizationRequest
  services: Set<ThreeDSService>
  work: Promise<AuthorizedInvoice>
}

export function createInvoices(api: Api, timing: Timing): Invoices {
  /** One payment for each invoice, whoever waits for it. */
  const running = new Map<string, Running>()

  function begin(request: AuthorizationRequest, service: ThreeDSService): Promise<AuthorizedInvoice> {
    const services = new Set([service])
    const work = authorize({ api, timing, request, service }).finally(() => {
      running.delete(request.invoiceId)
      for (const one of services) quietly(() => one.cleanup())
    })
    running.set(request.invoiceId, { request, services, work })
    return work
  }

  return {
    async authorizeInvoice(request, threeDSService) {
      const found = running.get(request.invoiceId)
      try {
        checkRequest(request)
        if (found !== undefined && !isSameRequest(found.request, request))
          throw new PaymentError('in-progress', `Another request pays the invoice ${request.invoiceId}.`)
      } catch (error) {
        // The service of a payment that is under way is still needed.
        if (found?.services.has(threeDSService) !== true) quietly(() => threeDSService.cleanup())
        throw error
      }
      // What the app changes in its object later is no part of this payment.
      if (found === undefined) return begin({ ...request }, threeDSService)
      found.services.add(threeDSService)
      return found.work
    },

    async find(invoiceId) {
      checkInvoiceId(invoiceId)
      try {
        return await api.invoice(invoiceId)
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        throw new PaymentError('connection-lost', 'The invoice could not be read.')
      }
    },
  }
}
