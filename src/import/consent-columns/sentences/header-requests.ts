import { MESSAGE_WORDS } from '../cells/compounds.ts';
import { mayNameMailings } from '../headers/contrary-headers.ts';
import { namesMembership } from '../headers/date-headers.ts';
import { ADDRESS_PART_WORDS } from '../headers/header-words.ts';
import { namesIdentity } from '../headers/positive-headers.ts';
import { mentionsMail } from '../words/phrases.ts';
import { wordsOf } from '../words/plain-words.ts';
import { compileWords, wordPattern, wordStartPattern } from '../words/word-patterns.ts';
import { contactIn, namesMailCode, namesPost, namesRenewal } from './contact-headers.ts';
import { namesRequest } from './removal-requests.ts';

// What a header asks for: mail, sending, an answer. Only such a header explains a refusal such as `Kein Versand`.

// Beginnings of words for sending, receiving and informing.
const SENDING = wordStartPattern(
  'deliver(?!ed) send(?!er) dispatch distribut circular correspond inform(?!at) notif invit(?!ed) updat receives?(?!d) gets?_mail write_to mail outreach appeals?(?=_|$)',
  'versand versend zustell zusend aussend beliefer benachricht einlad empfangt_ erhalt(?:_|$) bekommt(?:_|$) info(?:s|mail|post)?(?=_|$) angebote',
  'envoi envoy diffus distribu recoi inform envi[oa](?=_|$|r) enviar recib recebe invi[oa] riceve invitac comunica correo',
  'verzend verstu toezend bezorg ontvang(?:t|en)? uitnodig wysyl otrzymuj zaprosz doruc zasil rozesil posil dostava pozvan',
  'utskick utsend udsend skicka? inbjud far_(?:mejl|mail|e?_?post|utskick) modta motta kuldes ertesit lahety trimit primest gonder bildir',
  'αποστολ ενημερ рассыл отправ получа розсил',
);
const NAMES_MESSAGES = compileWords(`(?:^| )(?:${MESSAGE_WORDS})(?= |$)`);
const SENDING_IN_OTHER_SCRIPTS = /配信|送信|送付|案内|通知|受信|发送|發送|推送|接收|발송|수신|알림/u;
// Words for a newsletter that do not say `mail` and are no agreement by themselves.
const NEWSLETTER = wordStartPattern('lettre(?=_|$) notiziario circolar biuletyn zpravodaj news(?=_|$) e?zine');
// Words for the address, the time or the price of a sending. A header with one of them does not ask who wants mail.
const OTHER_FACT = wordPattern(
  'address adress[eo]? anschrift direccion indirizzo endereco adres dates? datum fecha data times? costs? kosten fee price preis by method methods code id ids nr number note notes status reason information art zip sent delivered received count',
);

// Matches headers about receiving a magazine: `Bezug`.
const SUBSCRIPTION = /^(?:bezug|bezieht|heftbezug|zeitschriftenbezug|abonnement|prenumeration|prenumerata)$/u;
// Matches headers of things that are delivered. Beside one of them `Delivery` is about parcels.
const PARCELS = wordStartPattern(
  'track(?:ing)?(?:_|$|n) carrier courier parcel shipment shipping waybill sendungs(?:nr|nummer|verfolg) paket lieferschein spediteur',
  'colis suivi transporteur paquete rastreo seguimiento corriere spedizione tracciament vettore encomenda rastreamento pakket vervoerder verzendnummer przesylk kurier paczk forsandelse fraktsedel zasilk',
);
const PARCELS_IN_OTHER_SCRIPTS = /追跡|運送|宅配|快递|快遞|物流|运单|택배|운송장/u;

// Words for an answer, an interest or a wish.
const ANSWER = wordStartPattern(
  'answer respon[sd] repl(?:y|ies)(?=_|$) interest decision choice wish(?:es)?(?=_|$) preference willing(?:ness)?',
  'antwort ruckmeldung interesse entscheidung wunsch reponse interet decision souhait respuesta interes deseo preferencia preferenz praferenz preferencj risposta scelta voorkeur antwoord reactie interesse beslissing keuze',
  'odpowiedz zainteresowan decyzja resposta decisao odpoved zajem rozhodnut zaujem svar intresse beslut onsk interesser beslutning vastau kiinnost valasz erdeklod raspuns interes yanit ilgi(?=_|$)',
  'απαντ ενδιαφερ ответ интерес решение відповід',
);
const ANSWER_IN_OTHER_SCRIPTS = /回答|返答|返事|返信|意向|興味|关注|答复|回复|兴趣|응답|답변|관심/u;
/** Matches headers that ask for an answer without saying to what. `Interests` doesn't match: it names hobbies. */
export const ONLY_ANSWER = compileWords(
  [
    '^(?:(?:the|your|our|last|final|lead|customer|client|contact|ihre|deine|letzte|votre|su|tu|sua) )?',
    '(?:answer|response|reply|interest|decision|wish|willing(?:ness)?|antwort|ruckmeldung|interesse|entscheidung|wunsch',
    '|reponse|interet|souhait|respuesta|interes|deseo|risposta|decisione|antwoord|reactie|beslissing|wens',
    '|odpowiedz|zainteresowanie|decyzja|resposta|decisao|odpoved|zajem|rozhodnuti|zaujem|svar|intresse|beslut|onskan|onske',
    '|vastaus|kiinnostus|valasz|erdeklodes|raspuns|yanit|ilgi|απαντηση|ενδιαφερον|ответ|интерес|решение|відповідь',
    '|回答|返答|返事|返信|意向|興味|兴趣|答复|回复|응답|답변|관심)(?: (?:client|cliente|kunde))?$',
  ].join(''),
);
// Matches a wish to do something: `Willingness to pay`. It is about mail only if the rest of the header is.
const WISH_TO_DO =
  /(?:^| )(?:to|zu|zur|zum|te|om|att|at)(?= )|(?:^| )(?:wish|willing|souhait|deseo|desejo|decision|decisao|volonte) (?:de|d|di|da|a)(?= )/u;
const GETTING = wordStartPattern(
  'contact kontakt contatt get(?=_|$) hear(?=_|$) receiv recevoir recibir ricevere receber ontvangen otrzym erhalten bekommen subscri',
);
const LANGUAGE = /lang|locale|sprache|idioma|lingua|taal|sprak/u;
const MAX_HEADER_WORDS = 5;

/**
 * What a header asks for. Below such a header svc also asks about refusals that only the header explains.
 * `subscription`: it names the receipt of a magazine. `contact`: it asks who wants contact, an invitation or mail.
 * `request`: it names what the person asks for.
 */
export type Request =
  | 'mail'
  | 'sending'
  | 'answer'
  | 'request'
  | 'membership'
  | 'subscription'
  | 'contact'
  | 'followUp';

/** What the header asks for. `beside` has the other headers of the table. Undefined if it asks for nothing. */
export function requestIn(header: string, beside: readonly string[]): Request | undefined {
  const words = wordsOf(header);
  if (words.split(' ').length > MAX_HEADER_WORDS || namesIdentity(header)) {
    return undefined;
  }
  if (SUBSCRIPTION.test(words)) {
    return 'subscription';
  }
  const contact = contactIn(words) ?? requestForPost(words);
  if (contact !== undefined) {
    return contact;
  }
  const namesMail = mentionsMail(words) || NAMES_MESSAGES.test(words);
  if (ANSWER.test(words) || ANSWER_IN_OTHER_SCRIPTS.test(words)) {
    return WISH_TO_DO.test(words) && !namesMail && !GETTING.test(words) ? undefined : 'answer';
  }
  const isSending =
    mayNameMailings(header) ||
    NAMES_MESSAGES.test(words) ||
    SENDING.test(words) ||
    SENDING_IN_OTHER_SCRIPTS.test(words);
  const isAboutOther = OTHER_FACT.test(words) || ADDRESS_PART_WORDS.test(words) || LANGUAGE.test(words);
  if (!isSending || isAboutOther) {
    return namesMembership(words) || namesRenewal(words) ? 'membership' : namesRequest(words) ? 'request' : undefined;
  }
  return mentionsMail(words) || NEWSLETTER.test(words) ? 'mail' : beside.some(namesParcel) ? undefined : 'sending';
}

// What a header asks for if it names post or a code for mail. `Post` alone is left out: it may be about parcels.
function requestForPost(words: string): 'mail' | 'sending' | undefined {
  if (namesMailCode(words)) {
    return 'mail';
  }
  return namesPost(words) && words !== 'post' ? 'sending' : undefined;
}

function namesParcel(header: string): boolean {
  const words = wordsOf(header);
  return PARCELS.test(words) || PARCELS_IN_OTHER_SCRIPTS.test(words);
}
