import type { PaymentTexts } from './published.ts'

/** The languages of our texts. */
export const LOCALES = ['en', 'de', 'fr', 'es', 'ar'] as const
export type Locale = (typeof LOCALES)[number]

export type TextName = keyof PaymentTexts
export type Texts = Record<TextName, string>

const TEXTS: Record<Locale, Texts> = {
  en: {
    formTitle: 'Card details',
    dialogTitle: 'Confirm the payment with your bank',
    dialogClose: 'Cancel',
    dialogFullPage: 'Nothing to see? Open the page of your bank in this window.',
    declined: 'The card was declined. Please try another card.',
    noMoney: 'There is not enough money on the card. Please try another card.',
    cardExpired: 'The card has expired. Please try another card.',
    authenticationFailed: 'Your bank could not confirm the payment. Please try again or use another card.',
    authenticationExpired: 'The confirmation with your bank took too long. Please try again.',
    canceled: 'The payment was canceled.',
    pending: 'The payment is being processed. Please do not pay again: the shop will tell you the result.',
    network: 'The connection was lost. Please check it and try again.',
    later: 'This is not possible at the moment. Please try again later.',
    failed: 'The payment could not be made. Please contact the shop.',
  },
  de: {
    formTitle: 'Kartendaten',
    dialogTitle: 'Zahlung bei der Bank bestätigen',
    dialogClose: 'Abbrechen',
    dialogFullPage: 'Nichts zu sehen? Die Seite Ihrer Bank in diesem Fenster öffnen.',
    declined: 'Die Karte wurde abgelehnt. Bitte versuchen Sie es mit einer anderen Karte.',
    noMoney: 'Das Guthaben der Karte reicht nicht aus. Bitte versuchen Sie es mit einer anderen Karte.',
    cardExpired: 'Die Karte ist abgelaufen. Bitte versuchen Sie es mit einer anderen Karte.',
    authenticationFailed:
      'Ihre Bank konnte die Zahlung nicht bestätigen. Bitte versuchen Sie es erneut oder mit einer anderen Karte.',
    authenticationExpired: 'Die Bestätigung bei Ihrer Bank hat zu lange gedauert. Bitte versuchen Sie es erneut.',
    canceled: 'Die Zahlung wurde abgebrochen.',
    pending: 'Die Zahlung wird bearbeitet. Bitte zahlen Sie nicht noch einmal: der Shop meldet Ihnen das Ergebnis.',
    network: 'Die Verbindung ist abgebrochen. Bitte prüfen Sie sie und versuchen Sie es erneut.',
    later: 'Das ist gerade nicht möglich. Bitte versuchen Sie es später erneut.',
    failed: 'Die Zahlung konnte nicht ausgeführt werden. Bitte wenden Sie sich an den Shop.',
  },
  fr: {
    formTitle: 'Données de la carte',
    dialogTitle: 'Confirmez le paiement auprès de votre banque',
    dialogClose: 'Annuler',
    dialogFullPage: 'Rien ne s’affiche ? Ouvrir la page de votre banque dans cette fenêtre.',
    declined: 'La carte a été refusée. Veuillez essayer une autre carte.',
    noMoney: 'Le solde de la carte est insuffisant. Veuillez essayer une autre carte.',
    cardExpired: 'La carte a expiré. Veuillez essayer une autre carte.',
    authenticationFailed: 'Votre banque n’a pas pu confirmer le paiement. Réessayez ou utilisez une autre carte.',
    authenticationExpired: 'La confirmation auprès de votre banque a pris trop de temps. Veuillez réessayer.',
    canceled: 'Le paiement a été annulé.',
    pending: 'Le paiement est en cours de traitement. Ne payez pas à nouveau : la boutique vous informera du résultat.',
    network: 'La connexion a été perdue. Vérifiez-la, puis réessayez.',
    later: 'Ce n’est pas possible pour le moment. Veuillez réessayer plus tard.',
    failed: 'Le paiement n’a pas pu être effectué. Veuillez contacter la boutique.',
  },
  es: {
    formTitle: 'Datos de la tarjeta',
    dialogTitle: 'Confirme el pago con su banco',
    dialogClose: 'Cancelar',
    dialogFullPage: '¿No se ve nada? Abrir la página de su banco en esta ventana.',
    declined: 'La tarjeta ha sido rechazada. Pruebe con otra tarjeta.',
    noMoney: 'El saldo de la tarjeta no es suficiente. Pruebe con otra tarjeta.',
    cardExpired: 'La tarjeta ha caducado. Pruebe con otra tarjeta.',
    authenticationFailed: 'Su banco no ha podido confirmar el pago. Inténtelo de nuevo o use otra tarjeta.',
    authenticationExpired: 'La confirmación con su banco ha tardado demasiado. Inténtelo de nuevo.',
    canceled: 'El pago se ha cancelado.',
    pending: 'El pago se está procesando. No pague otra vez: la tienda le comunicará el resultado.',
    network: 'Se ha perdido la conexión. Compruébela e inténtelo de nuevo.',
    later: 'No es posible en este momento. Inténtelo más tarde.',
    failed: 'No se ha podido realizar el pago. Póngase en contacto con la tienda.',
  },
  ar: {
    formTitle: 'بيانات البطاقة',
    dialogTitle: 'تأكيد الدفع لدى البنك',
    dialogClose: 'إلغاء',
    dialogFullPage: 'لا يظهر شيء؟ افتح صفحة البنك في هذه النافذة.',
    declined: 'تم رفض البطاقة. يُرجى تجربة بطاقة أخرى.',
    noMoney: 'رصيد البطاقة غير كافٍ. يُرجى تجربة بطاقة أخرى.',
    cardExpired: 'انتهت صلاحية البطاقة. يُرجى تجربة بطاقة أخرى.',
    authenticationFailed: 'تعذّر على البنك تأكيد الدفع. يُرجى المحاولة مرة أخرى أو استخدام بطاقة أخرى.',
    authenticationExpired: 'استغرق التأكيد لدى البنك وقتًا طويلًا. يُرجى المحاولة مرة أخرى.',
    canceled: 'تم إلغاء الدفع.',
    pending: 'تتم معالجة الدفع. يُرجى عدم الدفع مرة أخرى: سيُعلمك المتجر بالنتيجة.',
    network: 'انقطع الاتصال. يُرجى التحقق منه والمحاولة مرة أخرى.',
    later: 'هذا غير ممكن في الوقت الحالي. يُرجى المحاولة لاحقًا.',
    failed: 'تعذّر إتمام الدفع. يُرجى التواصل مع المتجر.',
  },
}

/** The first of these languages that we have: `de-AT` is German. English if none is. */
export function localeOf(...wishes: readonly (string | null | undefined)[]): Locale {
  for (const wish of wishes) {
    const language = wish?.toLowerCase().split(/[-_]/)[0]
    const locale = LOCALES.find((one) => one === language)
    if (locale !== undefined) return locale
  }
  return 'en'
}

export function textsIn(locale: Locale, changes: PaymentTexts = {}): Texts {
  const given = Object.entries(changes).filter(([, text]) => typeof text === 'string')
  return { ...TEXTS[locale], ...Object.fromEntries(given) }
}

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr'
}
