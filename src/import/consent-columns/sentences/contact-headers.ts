import { compileWords } from '../words/word-patterns.ts';

// Headers that ask whether a person wants contact, an invitation or mail, and headers of the result of a call. A no
// below them may refuse mail. Each line has one language or a few related ones.

// Words that may stand before or after the word for a contact: `OK to contact`, `Contact me`, `Kontakt Ja/Nein`.
const BEFORE =
  'please|to|ok(?:ay)? to|may|may we|can we|we may|should we|do we|want|wants|further|future|next|any|bitte|zu|noch|weitere[rns]?|nachste[rn]?|wunscht|mochte|will|a|prochaine?|por|para|da|de|te|do|att|ska|al';
const AFTER =
  'me|us|them|him|her|again|further|allowed|y n|yes no|ja nein|j n|oui non|o n|si no|s n|ja nee|tak nie|ja nej|erlaubt|gewunscht|erwunscht|souhaitee?|desead[oa]|desiderat[oa]|gewenst|onskas|onskes|needed';
const headerOf = (...parts: readonly string[]): RegExp =>
  compileWords(`^(?:(?:${BEFORE}) )*(?:${parts.join('|')})(?: (?:${AFTER}))*$`);

const CONTACT = headerOf(
  'contact|get in touch|reach out|outreach|invite|invites|invitations?|send|sending|send to|correspondence',
  'kontakt|kontaktieren|kontaktaufnahme|kontaktwunsch|ansprechen|anschreiben|einlad(?:en|ung|ungen)|versenden|zusenden|zuschicken|zusendung|verschicken|schicken|senden',
  'contacter|recontacter|prise de contact|inviter|invitation|invitations|envoyer|l ?inviter|le contacter',
  'contactar|contacto|invitar|invitacion|invitaciones|enviar|contatto|contattare|ricontattare|contatti|invito|inviti|invitare|inviare|spedire',
  'contatar|contato|contactos?|convidar|convites?|contact opnemen|contacteren|uitnodig(?:en|ing|ingen)|versturen|sturen|toezenden|opsturen',
  'kontaktowac|kontaktowac sie|zaprosic|zaproszenia?|zapraszac|wysylac|wyslac',
  'kontaktas?|kontakte|kontaktes|inbjudan|inbjudningar|bjuda? in|inviteres?|invitasjon(?:er)?|invitation(?:er)?|skickas?|sendes?|yhteydenotto|kutsu|kutsut|kutsutaan',
  'kontaktovat|pozvat|pozvanky?|zaslat|meghivo|meghivas|kapcsolatfelvetel|contactare|invitatie|davet|iletisim',
  'контакт|контактировать|связаться|приглашения?|приглашать|пригласить|отправлять|επικοινωνια|προσκληση',
);
const CONTACT_IN_OTHER_SCRIPTS =
  /^(?:dm|メール|資料|案内)?(?:ご?連絡|ご?招待|送付|送信|発送|郵送|ご?案内|通知|年賀状|联系|联络|聯絡|邀请|邀請|发送|發送|연락|초대|발송)(?:の?(?:可否|希望|有無|要否)|する|状?発送|여부)?$/u;
const WANTS =
  'wants?|want(?:s|ed)? to (?:get|receive|have)|would like|interested in|interesse an|mochte|will|wunscht|veut|souhaite|quiere|desea|vuole|desidera|wil|chce|vill(?: ha)?|onskar|onsker|quer|deseja|haluaa|chci|chce';
const INFORMATION =
  'infos?|information(?:en|s)?|updates?|news|nyheter|nyheder|angebote|offers?|offres|ofertas?|oferty|offerte|aanbiedingen|erbjudanden|tilbud|informaciones|informacion|informazioni|informatie|informacje|informacoes|informace|einladungen|invitations|prospekte?|werbung';
// Matches a wish for information: `Wants info`, `Infos gewünscht`.
const WANTS_INFORMATION = compileWords(
  `^(?:${WANTS}) (?:more |further |our |weitere |mehr |regular |des |les |as )?(?:${INFORMATION})$|^(?:future|further|upcoming|kunftige|weitere|prochains|futur[oa]s) (?:${INFORMATION}|events?|veranstaltungen|evenements|eventos|eventi|mailings?|communications?)$|^(?:${INFORMATION}) (?:erwunscht|gewunscht|wanted|souhaitee?s?|desead[oa]s?|gewenst|onskas|onskes)$`,
);
// Matches words for news and offers, which name a list. `Info` is not one of them, because it often stands above notes.
const MAILING_NAMES =
  /^(?:unsere |nos |our |vare )?(?:infos|aktuelles|neuigkeiten|noticias|notizie|novita|nieuws|nieuwtjes|nyheter|nyheder|wiadomosci|aktualnosci|aktuality|novinky|uutiset|haberler|actualites|nouveautes|actus?|novita|noticies|hirek|stiri|vesti|новости|νεα|ニュース|新闻|新聞|뉴스|소식|ofertas|oferty|offerte|erbjudanden|tilbud|tarjoukset|nabidky|ajanlatok|oferte)$/u;
const FOLLOW_UP = headerOf(
  'follow ups?|followups?|follow up with',
  'nachfass(?:en|aktion)?|wiedervorlage|relances?|relancer|suivi commercial|seguimiento comercial|seguimento|ricontatto|opvolg(?:en|ing)|dalszy kontakt|folja? upp|uppfoljning|oppfolging|opfolgning',
);
const FOLLOW_UP_IN_OTHER_SCRIPTS = /^(?:フォロー(?:アップ)?|跟进|跟進|후속 ?연락)$/u;

const GETS =
  'receives?|receiving|gets?|wants?|erhalt|bekommt|empfangt|kriegt|wunscht|mochte|will|recoit|veut|recibe|quiere|riceve|vuole|ontvangt|krijgt|wil|otrzymuje|chce|far|vill(?: ha)?|modtager|mottar|recebe|quer|dostava';
const TO_GET =
  'ontvangen|erhalten|empfangen|bekommen|erwunscht|gewunscht|gewenst|receive|received|wanted|recevoir|recibir|ricevere|receber|otrzymywac|onskas|onskes|onskad';
const LETTERS = 'post|posta|poste|poczte|poczta|courrier|correo|correio|brief|briefe|brieven|brev|postu';
// Matches a wish for mail or letters: `Post ontvangen`, `Erhält Post`. `Received post` says what happened.
const GETS_LETTERS = compileWords(
  `^(?:(?:${GETS}) (?:noch |nog |still |encore |por |per |la |du |de la )?(?:${LETTERS})|(?:${LETTERS}) (?:noch |nog |te |a )?(?:${TO_GET}))$`,
);

/** True for header words that name paper mail or email: `Post`, `Posta`. */
export function namesPost(headerWords: string): boolean {
  return POST.test(headerWords);
}

const POST = /^(?:post|posta|poczta|courrier|postia|пошта|почта)$/u;

/** True for header words that name a code for mail: `Mail code`, `Solicit codes`. */
export function namesMailCode(headerWords: string): boolean {
  return MAIL_CODE.test(headerWords);
}

const MAIL_CODE = /^(?:mail|mailing|contact|solicit(?:ation)?|appeal) (?:codes?|restrictions?)$/u;

/** True for header words that ask who wants post: `Post ontvangen`, `Erhält Post`. */
export function asksForPost(headerWords: string): boolean {
  return GETS_LETTERS.test(headerWords);
}

/**
 * What a header asks for if it is about a wish for contact. Undefined for any other header, such as `Contact name`.
 * Below a `followUp` header `keine` refuses nothing: it means that no call is planned, or that there are no offers.
 */
export function contactIn(headerWords: string): 'contact' | 'followUp' | undefined {
  if ([FOLLOW_UP, FOLLOW_UP_IN_OTHER_SCRIPTS, MAILING_NAMES].some((header) => header.test(headerWords))) {
    return 'followUp';
  }
  const asks = [CONTACT, CONTACT_IN_OTHER_SCRIPTS, GETS_LETTERS, WANTS_INFORMATION].some((header) =>
    header.test(headerWords),
  );
  return asks ? 'contact' : undefined;
}

/** True for header words that name the result of a call: `Call outcome`, `Gesprächsergebnis`. */
export function namesCallResult(headerWords: string): boolean {
  return CALL_RESULT.test(headerWords) || CALL_RESULT_IN_OTHER_SCRIPTS.test(headerWords);
}

const CALL_RESULT = compileWords(
  [
    '^(?:last |latest |final )?(?:phone |tele ?)?(?:calls?|calling|telephone|phone|telemarketing|dialer) (?:result|outcome|disposition|status|response|feedback|answer)s?$|^(?:result|outcome|disposition|feedback) of (?:the |last |phone )*calls?$',
    '^(?:letztes )?(?:anruf|telefon|telefonat|telefonie)s?(?:ergebnis|resultat|ausgang|status|ruckmeldung)$|^ergebnis (?:des |vom |der )?(?:letzten )?(?:anrufs?|telefonats?|telefon|telefonaktion)$',
    '^(?:resultat|issue|statut|retour) (?:de |d |du |de l ?|des |dernier )*l?d?(?:appels?|telephone|telephonique|phoning)$|^resultado (?:de |de la |del |da )?(?:ultima )?(?:llamadas?|ligacao|ligacoes|chamadas?|telefonico)$',
    '^esito (?:della |delle |ultima )*(?:chiamata|chiamate|telefonata|telefonate|telefonico)$|^(?:bel|telefoon) ?(?:resultaat|status|uitkomst)$|^resultaat (?:van )?(?:het )?(?:telefoon)?(?:gesprek|belactie)$',
    '^wynik (?:rozmowy )?(?:telefonu|polaczenia|telefonicznej)$|^(?:ring|telefon|samtals?|opkalds?|opringnings?)(?:resultat|status|utfall)$|^vysledek (?:hovoru|volani)$|^результат (?:звонка|обзвона)$',
  ].join('|'),
);
const CALL_RESULT_IN_OTHER_SCRIPTS = /^(?:通話|架電|電話|コール)の?結果$|^(?:通话|呼叫|电话)结果$|^통화 ?결과$/u;

/** True for header words that name a renewal: `Renewal`, `Verlängerung`. A plain no below them says nothing. */
export function namesRenewal(headerWords: string): boolean {
  return RENEWAL.test(headerWords);
}

const RENEWAL =
  /^(?:(?:membership|member|next|annual|yearly) )?renewals?(?: (?:status|intent|intention|decision|notes?|\d{4}))?$|^(?:mitglieds?|jahres|beitrags|abo)?verlangerung$|^renouvellements?(?: (?:adhesion|d ?adhesion))?$|^renovacion$|^rinnovo$|^renovacao$|^verlenging$|^(?:odnowienie|przedluzenie)$|^(?:fornyelse|fornyelser|fornyelse status|fornyat|fornyelse \d{4})$|^更新$/u;
