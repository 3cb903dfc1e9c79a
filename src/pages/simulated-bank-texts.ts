import type { PageLocale } from './hosted-page-texts.ts'

/** What the simulated bank says. `{code}` and `{tries}` are put in. */
export interface BankTexts {
  sandbox: string
  bank: string
  confirmTitle: string
  /** Before the title of a page that tells a mistake. */
  error: string
  asks: string
  amount: string
  shop: string
  /** Where the shop is not known. */
  purchase: string
  card: string
  /** To screen readers, in place of dots before the last digits. */
  endingIn: string
  code: string
  confirm: string
  cancel: string
  noCode: string
  wrongCode: string
  helpByCode: string
  helpFailing: string
  helpNever: string
  goOn: string
  returning: readonly [title: string, text: string]
  looking: readonly [title: string, text: string]
  used: readonly [title: string, text: string]
  expired: readonly [title: string, text: string]
  unknown: readonly [title: string, text: string]
}

const TEXTS: Readonly<Record<PageLocale['language'], BankTexts>> = {
  en: {
    sandbox: 'Sandbox',
    bank: 'Simulated Bank',
    confirmTitle: 'Confirm your payment',
    error: 'Error: ',
    asks: 'Your bank asks whether it is you who pays.',
    amount: 'Amount',
    shop: 'For',
    purchase: 'your purchase',
    card: 'Card',
    endingIn: 'ending in ',
    code: 'Code from your bank',
    confirm: 'Confirm',
    cancel: 'Cancel',
    noCode: 'Enter the code.',
    wrongCode: 'That code is not right. Tries left: {tries}.',
    helpByCode: 'This is the sandbox, and no code was sent. The right code is {code}.',
    helpFailing: 'This is the sandbox. With this test card every code fails.',
    helpNever: 'This is the sandbox. The right code is {code}, and another question follows each time.',
    goOn: 'Continue to the shop',
    returning: ['Back to the shop', 'Your answer has arrived. One moment, please.'],
    looking: ['One moment', 'Your bank looks at your browser.'],
    used: [
      'This page has been used',
      'Your bank has your answer, or no longer waits for one. The shop knows what has become of your payment.',
    ],
    expired: [
      'This page has expired',
      'It was open for more than 15 minutes. Please go back to the shop, and pay again there.',
    ],
    unknown: ['There is no such page', 'Please go back to the shop, and pay again there.'],
  },
  de: {
    sandbox: 'Sandbox',
    bank: 'Simulierte Bank',
    confirmTitle: 'Zahlung bestätigen',
    error: 'Fehler: ',
    asks: 'Ihre Bank fragt, ob Sie es sind, die oder der bezahlt.',
    amount: 'Betrag',
    shop: 'Für',
    purchase: 'Ihren Einkauf',
    card: 'Karte',
    endingIn: 'mit den letzten Ziffern ',
    code: 'Code Ihrer Bank',
    confirm: 'Bestätigen',
    cancel: 'Abbrechen',
    noCode: 'Geben Sie den Code ein.',
    wrongCode: 'Dieser Code ist nicht richtig. Verbleibende Versuche: {tries}.',
    helpByCode: 'Dies ist die Sandbox, es wurde kein Code verschickt. Der richtige Code ist {code}.',
    helpFailing: 'Dies ist die Sandbox. Mit dieser Testkarte ist jeder Code falsch.',
    helpNever: 'Dies ist die Sandbox. Der richtige Code ist {code}, und jedes Mal folgt eine weitere Frage.',
    goOn: 'Weiter zum Shop',
    returning: ['Zurück zum Shop', 'Ihre Antwort ist angekommen. Einen Moment bitte.'],
    looking: ['Einen Moment', 'Ihre Bank prüft Ihren Browser.'],
    used: [
      'Diese Seite wurde schon benutzt',
      'Ihre Bank hat Ihre Antwort oder wartet nicht mehr darauf. Der Shop weiß, was aus Ihrer Zahlung geworden ist.',
    ],
    expired: [
      'Diese Seite ist abgelaufen',
      'Sie war länger als 15 Minuten geöffnet. Bitte gehen Sie zurück zum Shop und bezahlen Sie dort noch einmal.',
    ],
    unknown: ['Diese Seite gibt es nicht', 'Bitte gehen Sie zurück zum Shop und bezahlen Sie dort noch einmal.'],
  },
  fr: {
    sandbox: 'Sandbox',
    bank: 'Banque simulée',
    confirmTitle: 'Confirmez votre paiement',
    error: 'Erreur : ',
    asks: 'Votre banque demande si c’est bien vous qui payez.',
    amount: 'Montant',
    shop: 'Pour',
    purchase: 'votre achat',
    card: 'Carte',
    endingIn: 'se terminant par ',
    code: 'Code de votre banque',
    confirm: 'Confirmer',
    cancel: 'Annuler',
    noCode: 'Saisissez le code.',
    wrongCode: 'Ce code n’est pas le bon. Essais restants : {tries}.',
    helpByCode: 'Ceci est la sandbox, aucun code n’a été envoyé. Le bon code est {code}.',
    helpFailing: 'Ceci est la sandbox. Avec cette carte de test, tout code échoue.',
    helpNever: 'Ceci est la sandbox. Le bon code est {code}, et une autre question suit à chaque fois.',
    goOn: 'Continuer vers la boutique',
    returning: ['Retour à la boutique', 'Votre réponse est arrivée. Un instant, s’il vous plaît.'],
    looking: ['Un instant', 'Votre banque vérifie votre navigateur.'],
    used: [
      'Cette page a déjà servi',
      'Votre banque a votre réponse, ou ne l’attend plus. La boutique sait ce qu’est devenu votre paiement.',
    ],
    expired: [
      'Cette page a expiré',
      'Elle est restée ouverte plus de 15 minutes. Retournez à la boutique et payez-y à nouveau.',
    ],
    unknown: ['Cette page n’existe pas', 'Retournez à la boutique et payez-y à nouveau.'],
  },
  es: {
    sandbox: 'Sandbox',
    bank: 'Banco simulado',
    confirmTitle: 'Confirme su pago',
    error: 'Error: ',
    asks: 'Su banco pregunta si es usted quien paga.',
    amount: 'Importe',
    shop: 'Para',
    purchase: 'su compra',
    card: 'Tarjeta',
    endingIn: 'terminada en ',
    code: 'Código de su banco',
    confirm: 'Confirmar',
    cancel: 'Cancelar',
    noCode: 'Introduzca el código.',
    wrongCode: 'Ese código no es correcto. Intentos restantes: {tries}.',
    helpByCode: 'Esto es el sandbox, no se ha enviado ningún código. El código correcto es {code}.',
    helpFailing: 'Esto es el sandbox. Con esta tarjeta de prueba falla cualquier código.',
    helpNever: 'Esto es el sandbox. El código correcto es {code}, y cada vez sigue otra pregunta.',
    goOn: 'Continuar a la tienda',
    returning: ['De vuelta a la tienda', 'Su respuesta ha llegado. Un momento, por favor.'],
    looking: ['Un momento', 'Su banco comprueba su navegador.'],
    used: [
      'Esta página ya se ha usado',
      'Su banco tiene su respuesta o ya no la espera. La tienda sabe qué ha sido de su pago.',
    ],
    expired: [
      'Esta página ha caducado',
      'Ha estado abierta más de 15 minutos. Vuelva a la tienda y pague de nuevo allí.',
    ],
    unknown: ['Esta página no existe', 'Vuelva a la tienda y pague de nuevo allí.'],
  },
  ar: {
    sandbox: 'بيئة الاختبار',
    bank: 'بنك تجريبي',
    confirmTitle: 'أكّد الدفع',
    error: 'خطأ: ',
    asks: 'يسأل البنك إن كنت أنت من يدفع.',
    amount: 'المبلغ',
    shop: 'لصالح',
    purchase: 'مشترياتك',
    card: 'البطاقة',
    endingIn: 'تنتهي بـ ',
    code: 'رمز البنك',
    confirm: 'تأكيد',
    cancel: 'إلغاء',
    noCode: 'أدخل الرمز.',
    wrongCode: 'هذا الرمز غير صحيح. المحاولات المتبقية: {tries}.',
    helpByCode: 'هذه بيئة اختبار، ولم يُرسل أي رمز. الرمز الصحيح هو {code}.',
    helpFailing: 'هذه بيئة اختبار. مع بطاقة الاختبار هذه يفشل كل رمز.',
    helpNever: 'هذه بيئة اختبار. الرمز الصحيح هو {code}، ويتبعه سؤال آخر في كل مرة.',
    goOn: 'المتابعة إلى المتجر',
    returning: ['العودة إلى المتجر', 'وصلت إجابتك. لحظة من فضلك.'],
    looking: ['لحظة', 'يتحقق البنك من متصفحك.'],
    used: ['استُخدمت هذه الصفحة', 'لدى البنك إجابتك أو لم يعد ينتظرها. يعلم المتجر ما آل إليه الدفع.'],
    expired: ['انتهت صلاحية هذه الصفحة', 'كانت مفتوحة لأكثر من 15 دقيقة. يُرجى العودة إلى المتجر والدفع هناك من جديد.'],
    unknown: ['لا توجد هذه الصفحة', 'يُرجى العودة إلى المتجر والدفع هناك من جديد.'],
  },
}

export const bankTextsIn = ({ language }: PageLocale): BankTexts => TEXTS[language]
