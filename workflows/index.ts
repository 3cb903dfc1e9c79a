export { paymentWorkflow } from './payment.ts'
export { webhookWorkflow } from './webhook.ts'
