import { wordsOf } from '../words/plain-words.ts';
import { MAYBE_STATUS_WORDS, OTHER_STATUS_WORDS, STATUS_HEADER } from '../words/status-headers.ts';
import { compileWords, containsStem, globalCopyOf, wordPattern } from '../words/word-patterns.ts';
import { withoutAnswers } from './header-predicates.ts';
import type { HeaderReading, Meaning } from './header-reading.ts';
import { AGREEMENT_STEMS } from './header-words.ts';

// What a header is about besides consent: nothing else (a neutral header), or an order, an event or paper mail.

/**
 * True if each word of the header is neutral: `Status`, `Newsletter status`, `Member state`. Below such a header
 * `active` means mail. Below any other, such as `Freeze status` or `Newsletter frozen`, it can mean anything. svc lists
 * the neutral words, because no table can hold all words for a stop.
 */
export function isNeutralHeader(header: string): boolean {
  const otherWords = withoutStatusWords(wordsOf(withoutAnswers(header))).split(' ');
  return otherWords.every(
    (word) => word === '' || NEUTRAL_WORD.test(word) || NEUTRAL_IN_OTHER_SCRIPTS.test(word) || isAgreementWord(word),
  );
}

// True for a word that has nothing but stems of agreement and an ending: `subscriptions`, `Newsletteranmeldung`.
function isAgreementWord(word: string): boolean {
  const ending = word.replace(globalCopyOf(AGREEMENT_STEMS), '');
  return ending !== word && ending.length <= LONGEST_ENDING && word.endsWith(ending);
}

const LONGEST_ENDING = 2;

/**
 * The reading, with `isDirectionUnknown` if svc can't know what `active` means below the header. Such a header is about
 * something other than mail, or has a word that is not neutral.
 */
export function withDirection(reading: HeaderReading | undefined, header: string): HeaderReading | undefined {
  return reading &&
    MEANINGS_WITH_DIRECTION.has(reading.meaning) &&
    (reading.isStatusOfOtherThing || !isNeutralHeader(header))
    ? { ...reading, isDirectionUnknown: true }
    : reading;
}

const MEANINGS_WITH_DIRECTION: ReadonlySet<Meaning> = new Set(['status', 'confirmed', 'agreed', 'active']);

/** The words of a header without those for a status: `stop status` becomes `stop`. */
export function withoutStatusWords(words: string): string {
  return words.replace(EVERY_STATUS_WORD, ' ').trim();
}

const EVERY_STATUS_WORD = new RegExp(`${STATUS_HEADER.source}|${MAYBE_STATUS_WORDS.source}`, 'gu');

// The lines in order: kinds of values, mailings, subscriptions, consents, people and records, services, languages,
// small words. `KO` is no language here, because it can also mean that something failed.
const NEUTRAL_WORD = wordPattern(
  'statuses states optstat(?:us|e) plan code type kind value field flag text label name description level class info typ art wert tipo valor valeur libelle campo soort rodzaj group segment categor(?:y|ia|ie) kategorie column spalte tags? current now latest aktuell(?:e|er)? actuel(?:le)? actual attuale atual huidige? obecny nuvarande nuvaerende nykyinen guncel aktualni general overall global system active aktive? activ[oa] actif actief attivo ativo',
  '(?:e?mail|mailing|marketing|newsletter|optin|abonnements?|abonnenten|empfanger|einwilligungs|zustimmungs|anmelde|kontakt|mitglieds?|mitglieder|nutzer|benutzer|konto|medlems?|samtyckes?|prenumerations|tilmeldings|lidmaatschaps|abonnee)stat(?:us|ut)',
  'e?mails? emailing mailings? mailinglists? inbox news enews e?newsletters? nl bulletins? digests? marketing mkt mktg promos? promotions? promotional bulk lists? audiences? communications? comms? notifications? updates? preferences? deliverability validation validity check daily weekly monthly quarterly',
  'e?post[aey]? rundbrief rundmail verteiler infomail werbung correos? electronico courriels? l?infolettres? lettres? d?informations? boletin(?:es)? boletim noticias listas? listen? lijst notiziario nieuwsbrie(?:f|ven) nyhetsbrev(?:et)? nyhedsbrev(?:et)? newslettera newsletteru utskick uutiskirje(?:en)? sahkoposti(?:n)? hirlevel biuletyn(?:u)? bulten(?:i)? zpravodaj buletin elektronicznej рассылк[аи] розсилк[аи] почт[аы] письма',
  'subscri(?:be|bed|bes|ption|ptions) subs? sign signup up abos? [ld]?abonnements? abonniert anmeldung [ld]?inscription suscripcion(?:es)? inscripcion (?:l|dell)?iscrizion[ei] sottoscrizione subscricao assinatura inscricao (?:dell)?abbonament[oi] aanmelding inschrijving subskrypcj[ai] prenumeration(?:en)? tilmelding(?:en)? pamelding(?:en)? abonelik tilau(?:s|ksen) odber(?:u)? feliratkozas(?:i)? abonare abonament абонамента? pretplat[ae] langganan dang ky подписк[аи] підписк[аи] συνδρομης? εγγραφης?',
  'opt opts optin opted doi soi coi double single confirm(?:ed|ation)? confirmad[oa] confirmee? confermat[oa] bestatigt bestatigung consents? permissions? agreed? accept(?:s|ed)? allow(?:s|ed)? gdpr dsgvo rgpd lgpd avg casl pecr kvkk iys rodo lopd einwilligung zustimmung consentement l?accord consentimiento consenso consentimento toestemming zgod[ay] samtycke samtykke suostumus onay izin souhlasu? hozzajarulas согласи[ея]',
  'contacts? members? memberships? subscribers? recipients? persons? people users? readers? profiles? accounts? records? address(?:es)? kontakte? mitglied abonnent(?:en)? empfanger leser nutzer profil konto adresse l?abonnee? contactos? miembros? membre l?adherent soci[oa] suscriptor(?:es)? usuarios? destinatari[oa] contatt[oi] iscritt[oi] utente membro contatos? assinante perfil lid ontvanger kontaktu subskrybenta? odbiorc[ay] prenumerant mottagare modtager mottaker medlem tilaajan? jasenen? abone uye uyelik kisi odberatel[ea]? feliratkozo abonat подписчика? підписника? συνδρομητη επαφης контакта? пользователя',
  'mailchimp klaviyo brevo sendinblue mailerlite activecampaign aweber getresponse convertkit omnisend sendgrid mailgun mautic moosend substack beehiiv cleverreach rapidmail mailjet mailpoet',
  'en fr es it nl pl pt sv fi da cs hu ro ru uk tr el ja zh english german deutsch french francais spanish espanol italian italiano dutch nederlands polish polski portuguese portugues swedish svenska danish dansk norwegian norsk finnish suomi czech hungarian romanian russian turkish greek japanese chinese korean',
  '\\d+ [aceiouydlsn] the of for to by at is has my our your their this in on and or der die das des dem den von fur und im am zum zur de du la le les et pour au aux del el al los las para un una di della dello dell alla nella il lo per do da dos ao na het een van voor w och till til av ja ve az на',
);

// Like `NEUTRAL_WORD`, in Chinese, Japanese and Korean.
const NEUTRAL_IN_OTHER_SCRIPTS =
  /^(?:会員|會員|会员|登録|メール|メルマガ|配信|購読|受信|ユーザー|コンタクト|マーケティング|オプトイン|同意|現在|の|邮件|郵件|邮箱|订阅|訂閱|用户|联系人|营销|회원|구독|수신|이메일|메일|뉴스레터|마케팅|동의|연락처)+$/u;

// Words of headers about an opt-out or a complaint that is not about email: `Complaints (product)`, `Returned mail
// (post)`, `Cookie opt-out`, `Bounced cheque`.

const WORDS_FOR_THINGS = wordPattern(
  'products? goods orders? deliver(?:y|ies) shipping shipments? parcels? packages? repairs? warranty quality items? invoices? bills? billing payments? debits? cheques? checks? cards? refunds? food rooms? hotel noise stores? shops? tickets? service support cookies? tracking analytics profiling photos? images? print catalogu?e?s? house castle',
  'd?invit(?:es?|ations?|o|acion) infos? uitnodiging\\p{L}* einladung\\p{L}* zusendung\\p{L}* aussendung\\p{L}* versand\\p{L}* produkte? pakete? lieferung\\p{L}* bestellung\\p{L}* rechnung\\p{L}* zahlung\\p{L}* ware fotos? katalog\\p{L}*',
  'produits? commandes? livraisons? productos? pedidos? entregas? pagos? catalogos? prodott[oi] ordin[ei] consegn[ae] produtos?',
  'bestelling\\p{L}* levering\\p{L}* inviter invitar einladen eingeladen invitare convidar uitnodigen uitgenodigd zapraszac',
  'gifts? tasks? licen[cs]es? stock equipment devices? bookings? reservations? appointments? books? plan contracts? vertrag\\p{L}* contrats? contratos? contratt[oi] contract(?:en)? accounts_payable comptes? cuentas? cont[oi] contas? magasin tienda negozio cart[ae] envios? medica medicale? laboral leave_of_absence',
);
// Words for things of a shop, a bank or an office. A short header with one of them and a word for an end, such as
// `Payment failed`, is not about mail.
const BUSINESS_WORDS = wordPattern(
  'payments? cards? invoices? cheques? checks? credits? loans? quotes? quotations? claims? exams? visas? passports? warranty parcels? shipments? refunds? vouchers? coupons? losses loss music',
  'zahlung\\p{L}* rechnung\\p{L}* karten? kreditkarte kredit\\p{L}* angebot lieferung\\p{L}* paket\\p{L}* ausweis\\p{L}* (?:mahn|liefer|auftrags|kredit|konto|karten|preis|rechnungs|zahlungs|bestell|zugangs?|eingabe|kassen|bau|strassen|reise)sperr\\p{L}* sperr(?:gut|frist|zeit)\\p{L}* kundigungs(?:frist|schutz)\\p{L}* auftrag\\p{L}*',
  'paiements? factures? cartes? credits? devis colis dossiers? pagos? facturas? tarjetas? creditos? pagament[oi] fattur[ae] spedizion[ei] pagamentos? cartao cartoes faturas? betaling\\p{L}* factu(?:ur|ren) kaart levering\\p{L}* platnosc\\p{L}* karta karty faktur[aey] towaru kort betalning\\p{L}* ordre produit produc?to prodotto',
);
const CUSTOMER_WORDS = wordPattern('customers? clients? kunden\\p{L}* clientes? clienti klanten\\p{L}*');
const PAPER_WORDS = wordPattern('post postal letters? brief briefe paper snail royal direct');
const ABOUT_MAIL =
  /e ?mail|(?<!\p{L})e ?post|news ?letter|nieuwsbrie|spam|abuse|mailing|marketing|feedback ?loop|(?:^| )isp(?= |$)|subscri|list|elektron|elettron|electron/u;

/** True for a header about an opt-out or a complaint that may not be about email, so that svc asks. */
export function mayBeAboutOther(header: string, isComplaint: boolean): boolean {
  const words = wordsOf(header);
  const isOther =
    BUSINESS_WORDS.test(words) ||
    WORDS_FOR_THINGS.test(words) ||
    PAPER_WORDS.test(words) ||
    (isComplaint && CUSTOMER_WORDS.test(words));
  return isOther && !ABOUT_MAIL.test(words);
}

/**
 * What a header says about a business. `event`: something was refused or put on hold (`Card declined`). `thing`: any
 * other header about a payment, an invoice and the like (`Payment failed`). Undefined for other headers, and for a
 * thing beside a word for mail.
 */
export function businessIn(words: string): 'event' | 'thing' | undefined {
  return BUSINESS_EVENT.test(words)
    ? 'event'
    : BUSINESS_WORDS.test(words) && !ABOUT_MAIL.test(words)
      ? 'thing'
      : undefined;
}

const BUSINESS_EVENT = compileWords(
  [
    '^(?:(?:is|last|credit|debit|bank|gift|sales|purchase) )?(?:cards?|orders?|deliver(?:y|ies)|payments?|parcels?|shipments?|packages?|cheques?|invoices?|charges?|transactions?|refunds?|loans?|quotes?|claims?|visas?) (?:is |was |were )?(?:declined|refused|rejected|on ?hold)(?: (?:at|on|date|reason))?$',
    '^(?:karte|zahlung|rechnung|lieferung|bestellung|auftrag|paket|kredit|kreditkarte) (?:ist |wurde )?(?:abgelehnt|verweigert|zuruckgestellt|on hold)(?: am)?$',
    '^(?:carte|commande|livraison|paiement|colis) (?:est )?(?:refusee?|declinee?|rejetee?|en attente)(?: le)?$|^retrait (?:en|au|du|par|chez) (?:le |la )?(?:magasin|boutique|point|depot|drive|relais|colis|atelier|place|comptoir)(?: \\p{L}+)?$|^(?:tarjeta|pedido|pago|entrega|carta|ordine|pagamento|consegna) (?:rechazad[oa]|rifiutat[oa]|recusad[oa])$|^ritiro in negozio$|^retirada (?:en|na) (?:tienda|loja)$',
  ].join('|'),
);

const EVENT = wordPattern(
  'attend(?:ed|ance|ing|ee|s)? rsvp_?\\p{L}* present(?:e|i)? coming checked_?in check_?in showed(?:_up)? no_?show registered booked accepted_invitation invited invitation paid unpaid dues? fees? donated donation refunded paying purchas\\p{L}* buyers? bought clicks? clicked opens? opened sent',
  'teilnahme\\p{L}* teilgenommen anwesend\\p{L}* zusage\\p{L}* zugesagt bezahlt beitrag\\p{L}* gebucht eingeladen gespendet spende\\p{L}* rechnung\\p{L}* gekauft kaufer\\p{L}* zahlend\\p{L}* geklickt geoffnet',
  'presence paye payee payants? achat\\p{L}* ach?eteurs? clics? compr(?:ador|a)\\p{L}* acquist\\p{L}* aankop\\p{L}* koper cotisation participation participe reserve asistencia asistio asiste pagado pagada cuota presenza pagato pagata quota presenca pago aanwezig\\p{L}* betaald contributie obecnosc oplacon\\p{L}* betalt betald narvaro deltar maksettu',
);

// Matches headers about the status of a person: `Membership status`. Their words can mean that the person left.
const STATUS_OF_PERSON =
  /\b(?:member\w*|mitglied\w*|user|account|customer|client|kunden\w*|plan|contract|vertrag\w*|employment|lifecycle|patron|donor|student|crm|participa\w*|volunteer|card)\b/u;

/** True for a header about an order, a payment or an event: `Payment status`, `RSVP`, `Attended`. */
export function namesOrderOrEvent(header: string): boolean {
  const words = wordsOf(header);
  const isOther = EVENT.test(words) || (OTHER_STATUS_WORDS.test(words) && !STATUS_OF_PERSON.test(words));
  return isOther && !ABOUT_MAIL.test(words) && !containsStem(AGREEMENT_STEMS, words);
}
