// Words and phrases in notes about people. They have no accents. Each line has one language or a few related ones.

import { memoize } from '../../../base/lib/memoize.ts';
import { MESSAGE_WORDS, plainWordsOf } from '../cells/compounds.ts';
import { compileWords, wordStartPattern } from './word-patterns.ts';

/** The longest text that is read as a request or an agreement. */
export const LONGEST_TEXT = 300;
const SHORTEST_TEXT = 2;

// For each language, words for "no" and words for mail. A text asks for no more mail if it has a "no", at most four
// other words, and a word for mail: `please do not email`.
const NO_MAIL: readonly (readonly [no: string, mail: string])[] = [
  [
    'do not|not to|not be|not wish|not like|dont|never|no longer|no more|not want|doesnt want|doesn t want|don t|stop|cease|please no',
    'e ?mail(?:s|ing|ed)?|mails?|mailings?|contact(?:ing)?|send(?:ing)?|newsletters?|market(?:ing)?|write|messages?|subscri\\w*|list',
  ],
  [
    'kein\\w*|nicht|nie',
    'e ?mails?|mails?|mailings?|newsletters?|werbung|anschreiben|angeschrieben\\w*|kontaktieren|zusenden|zuschicken|senden|schicken',
  ],
  [
    'ne(?! e ?mails?(?= |$)| mails?(?= |$)| newsletters?(?= |$))|plus de?|pas de?|pas(?= de(?:mailing|mails?)(?: |$))|aucun\\w*',
    'd?e ?mails?|mails?|d?(?:e ?)?mailings?|courriels?|newsletters?|contacter|envoyer|ecrire|recevoir|solliciter|relancer',
  ],
  ['no|nunca', 'correos?|correus?|enviar|mandar|contactar|recibir|boletin\\w*|publicidad|molestar|escribir'],
  ['non', 'e ?mail|mail|inviare|contattare|ricevere|scrivere|pubblicita|disturbare|newsletter'],
  ['geen|niet|nooit', 'e ?mails?|mails?|mailen|nieuwsbrie\\w*|contacteren|contact opnemen|sturen|aanschrijven|reclame'],
  ['nao', 'e ?mails?|enviar|receber|contactar|contatar|newsletter|mandar|perturbar|incomodar'],
  ['nie', 'e ?mail\\w*|maili|wysyl\\w*|kontaktowac|newsletter\\w*|otrzym\\w*|pis(?:ac|z)\\w*'],
  [
    'inte|ikke|inga|ingen|ej|ikkje|ekki|engan|enga',
    'mejl\\w*|e ?mails?|mails?|e ?post\\w*|nyhetsbrev|nyhedsbrev\\w*|kontakta|kontaktes|skicka\\w*|send[ae]?|utskick|tolvupost\\w*|frettabref\\w*',
  ],
  ['ei|ala|alkaa', 'posti\\w*|sahkopost\\w*|lahet\\w*|kirju|uutiskirj\\w*|viest\\w*|yhtey\\w*'],
  ['не|нет|без', '(?:пис|пиш|рассыл|присыл|отправл|беспоко|надсил|розсил|меил|мејл|имеил|порук|шаљ|прака|пращ)\\p{L}*'],
  ['nu', 'e ?mail\\w*|mail\\w*|trimit\\w*|contact\\w*|newsletter\\w*|primi\\w*|primeasca'],
  ['ne|neposil\\w*|nenori|nevelas|nav', 'e ?maily?|posil\\w*|kontaktovat|novinky|laisk\\w*|e ?past\\w*'],
  ['jangan|tidak mau|dung|khong', 'e ?mel|e ?mail\\w*|kirim\\w*|hantar\\w*|menerima|gui|nhan|thu'],
  ['nem', 'e ?mail\\w*|level\\w*|hirlevel\\w*|kuld\\w*'],
];

// Phrases that ask for no more mail in other words than those of NO_MAIL: `remove me`, `abgemeldet`.
const OTHER_STOP_REQUESTS = [
  '^(?:please )?(?:(?:remove|delete|take out) (?:me|us)|(?:take|count) (?:me|us) (?:off|out))(?: please| now| asap| thanks| thank you)?$|^please (?:stop|remove|delete)(?: me| us| it| this)?$|^(?:bitte )?(?:loschen|streichen|loscht|streicht|entfernt|nehmt|nehmen) (?:sie )?mich(?: bitte)?(?: raus| heraus)?$|^(?:supprimez|retirez|enlevez|desinscrivez) (?:moi|nous)$|^(?:quitenme|borrenme|eliminenme|saquenme|toglietemi|cancellatemi|rimuovetemi|removam me|tirem me|me (?:remova|retire|tire|exclua)m?)$|^(?:verwijder|haal|schrijf) (?:me|mij)(?: eraf| uit)?$|^(?:ta bort|stryk|slet|slett|fjern) (?:mig|meg)$|^poista(?:kaa)? minut$|^(?:удалите|исключите|уберите|видаліть) (?:меня|мене)$|\\bno (?:more )?(?:e ?mails?|mails?|mailings?|newsletters?|marketing|spam)(?= |$)|\\bunsubs\\w*|\\bunsub(?:bed)?(?:$| (?:from|me|newsletter|list|mails?|emails?)(?= |$))|\\bopt(?:s|ed)?(?: me)? ?out\\b|\\b(?:not|never|no longer) (?:to )?be (?:e ?mailed|mailed|contacted|written to)\\b|\\b(?:take|taken|takes|get|be) (?:me |him |her |them )?off (?:the |our |your |this |my )?(?:mailing |e ?mail )?list',
  '\\bremoved? (?:me |him |her |them )?from (?:the |our |your |all |this )?(?:mailing |e ?mail |newsletter )*(?:lists?|newsletter|mailings?)|\\bremoval request|\\brequest(?:ed|s)? (?:removal|unsub\\w*)|\\bwants? (?:off|out)\\b|\\b(?:user|recipient|has) complained\\b',
  '\\babgemeldet|\\babbestell|\\bausgetragen|\\baustragen|\\bauf (?:eigenen )?wunsch (?:geloscht|entfernt|abgemeldet)|\\bwiderspr(?:uch|och)|\\bnewsletter widerr|\\bunerwunscht|\\babmelden|\\bdesabonn|\\bdesinscri|\\bretirer de la liste|\\bstop (?:pub|mails?|e ?mails?)\\b',
  '\\b(?:pid\\w+|solicit\\w+|quier\\w+|dar\\w*|dio|dado|dada) (?:de )?(?:la |su )?baja\\b|\\bdesuscri|\\bdisiscri|\\bchiest\\w+ (?:la |di )?(?:cancell|esser|rimoz)\\w*|\\bcancella(?:re|to|ta|rsi)? (?:da|dalla|dal)\\b',
  '\\bafgemeld|\\buitgeschreven|\\buitschrijven|\\bsair da lista|\\bdescadastr|\\bremover da lista|\\bwypis(?:ac|anie|any|ana|uje|z)|\\brezygn|\\busun(?:ac|ieto|ac)? z listy',
  '\\bavregistr|\\bavanmal|\\bavmeld|\\bframeld|\\bafmeld|\\bpoist\\w+ listalta|\\bodhlas|\\bleirat|\\bdezabon|\\blisteden c|\\bgonderme|\\bistemiyor',
  '\\bwithdr[ae]w\\w* (?:(?:his|her|their|my|the) )?consent|\\bobject(?:s|ed|ion)? to (?:e ?mail|market|mail)\\w*|\\bsaid no to\\b|\\basked to be (?:removed|taken off|deleted)|\\breported (?:us |it |me )?(?:as )?spam|\\bnever (?:signed up|agreed|subscribed|consented)|\\bdid not (?:agree|consent|sign up|subscribe)|\\b(?:on|in) (?:the )?robinson|\\bblack ?list|\\bgdpr (?:delet|eras)\\w*|\\bcancel(?:s|led|ed)? (?:the |my |his |her )?(?:newsletter|subscription)|\\bplease remove|\\boff the list\\b|\\bmail returned\\b|\\be ?mail (?:address )?(?:is )?dead\\b',
  '\\beinwilligung (?:widerrufen|zuruckgezogen|entzogen)|\\bausgetreten|\\bgekundigt|\\bbitte (?:loschen|entfernen|streichen)|\\baus (?:dem )?verteiler|\\bspam gemeldet|\\bnie zugestimmt|\\bmails? kommt zuruck|\\bquitar de la lista|\\b(?:no dio|sem|sin) consentimiento?|\\bmarco como spam|\\bcorreo devuelto|\\bresilie(?!n)|\\bsignale (?:comme |en )?spam|\\bdemande (?:la |de )?suppression',
  '\\bcofn\\w* zgod|\\bbrak zgody|\\bwypisal\\w*|\\bpediu (?:para )?(?:sair|remo)\\w*|\\bsem consentimento|\\bneposil\\w*|\\bnechce\\w*|\\bodvolal\\w* souhlas|\\bsmazat|\\buyelikten ayril|\\bizin vermedi|отозвал|жалоб|退会|解約|迷惑メール',
  'отпис|отказ от|удалить из|відпис|配信(?:停止|不要)|メール不要|送らないで|送信不要|不要(?:再)?(?:发|發|寄|联系|聯繫)|退订|退訂|勿扰|勿擾|拒收|수신 ?거부|보내지|연락 ?금지|لا ترسل|الغاء|لا (?:يريد|تريد)|לא לשלוח|הסר|לא מעוניי|نفرست|نميخواهد|لغو (?:اشتراك|عضويت)|मत भज|न भज|नह चहए|ไมตองการรบ|ไมรบ|ยกเลก(?:การ)?รบ|পঠবন|அனபப வணட|పపవదద|видалити з розсил|юборманг',
];

const WORD_START = '(?:^| )';
const ANY_WORDS_BETWEEN = '(?: \\S+){0,4}? ';
// Words that can stand between a "no" and a word for mail: `no more emails`. The first lines are English, German and
// French.
const USUAL_BETWEEN = [
  'any|more|further|all|our|your|the|us|me|to|be|by|via|per|receive|get|send|sending|want|wants|like|wish|please|future|promotional|promo|marketing|commercial|bulk|mass|weekly|monthly|advertising|unsolicited|this|these|him|her|them|ever|again|e|from|for|of|on|user|customer|contact|person|does|do|is|has',
  'mehr|bitte|gewunscht|erwunscht|wunscht|mochte|weitere[nr]?|weiterhin|noch|die|den|der|das|ihre?|eure|unsere?n?|uns|mir|ihm|erhalten|werbe|bekommen|durch|von',
  'veu[tx]|voulez|souhait\\w*|pas|plus|d|de|des|du|la|le|les|nos|vos|par|jamais|m|nous|lui|recevoir|envoyer',
  'mas|quier\\w*|dese\\w*|recibir|el|los|las|por|nuestr\\w*|vuole|voglio|desidera|piu|ricevere|mai|inviare|mandar\\w*|quer\\w*|receber|mais',
  'meer|van|onze|wil|ontvangen|sturen|chce|otrzymywac|juz|wiecej|vill|vil|ha|have|mer|fler|flere|onsk\\w*|motta|modtage|halua\\w*|enaa|хочу|хочет|получать|больше|мне',
].join('|');
const USUAL_WORD = new RegExp(`^(?:${USUAL_BETWEEN})$`, 'u');
const USUAL_WORDS_BETWEEN = `(?: (?:${USUAL_BETWEEN})){0,4}? `;

// Matches phrases that ask for no more mail. `between` is the pattern between a "no" and a word for mail.
const stopRequestPattern = (between: string) =>
  compileWords(
    [
      ...NO_MAIL.map(([no, mail]) => `${WORD_START}(?:${no})${between}(?:${mail})(?= |$)`),
      // The "no" can also follow the word for mail: `emails refused`.
      `${WORD_START}(?:e ?mails?|mails?|newsletters?|werbung|mailings?)(?: \\p{L}+){0,2}? (?:nicht mehr|unerwunscht|niet meer|abbestellt|refused)(?= |$)`,
      ...OTHER_STOP_REQUESTS,
    ].join('|'),
  );
const ASKS = stopRequestPattern(ANY_WORDS_BETWEEN);
const ASKS_PLAINLY = stopRequestPattern(USUAL_WORDS_BETWEEN);

// Parts of words for a quick test. Each phrase above has one of them or a letter beyond ASCII. Most notes have neither,
// so svc need not split them into words.
const PARTS_OF_STOP_REQUESTS =
  'mail mejl post contac contat kontak send schick skick envoy envia invia sture manda newsl nieuwsb brev letter market werb public pubblic recla writ schr ecri escrib scriv pis messag subsc list correo correu kirju courriel recev recib receb ricev otrzym wysyl sollicit relanc boletin molest disturb perturb incomod lahet uutisk viest emel kirim hantar frettab tolvup yhtey trimit primi prime posil novink level kuld ' +
  'unsub opt off remov want compl abge abbes ausge austr wider unerw wunsch abmel desab desin retir stop baja desus disis chies cancel afge afme uitg uits sair descad rezygn usun avreg avanm avmel framel poist odhlas leirat dezab gonder istem withdr object said asked spam never sign agree consent robins black gdpr return dead einwill kundig losch entf streich verteil zugest gesperr zuruck quitar resil suppress cofn zgod pediu nechc odvol smaz uyelik izin loesch kuend moecht wuensch rueck delete take.(?:me|us) count.(?:me|us) nehm enlev quitenme borrenm eliminenm saquenm togliet rimuov tire exclua verwij haal.m stryk slet fjern bort.m';
const MAY_ASK = new RegExp(`[^\\x00-\\x7f]|${PARTS_OF_STOP_REQUESTS.split(' ').join('|')}`, 'i');

/** True for a text that clearly asks for no more mail, whether the person or the user wrote it. */
export const asksToStop = memoize(
  (text: string): boolean => MAY_ASK.test(text) && asksInWords(text, plainWordsOf(text)),
);

/** Like `asksToStop`, for a text that is already split: `words` is `plainWordsOf(text)`. */
export function asksInWords(text: string, words: string): boolean {
  return (
    text.length >= SHORTEST_TEXT &&
    text.length <= LONGEST_TEXT &&
    MAY_ASK.test(text) &&
    ASKS.test(words.includes('pl') ? words.replace(SHORT_PLEASE, 'please') : words) &&
    !statesRightToLeave(words)
  );
}

const SHORT_PLEASE = /(?<!\S)pl(?:s|z|se|ease|eas|ase)(?!\S)/gu;

/** True for a sentence about the right to opt out: `I can unsubscribe at any time`. It is not an opt-out. */
export function statesRightToLeave(words: string): boolean {
  return AT_ANY_TIME.test(words) && MAY_LEAVE.test(words) && !STOP_REQUEST_WORDS.test(words);
}

/** Matches `at any time`, as in a sentence about the right to opt out: `I can unsubscribe at any time`. */
export const AT_ANY_TIME =
  /(?:^| )(?:any ?time|any moment|until revoked|bis auf widerruf|jusqu a revocation|altijd|jederzeit|a tout moment|en cualquier momento|in (?:qualsiasi|ogni|qualunque) momento|a qualquer momento|elk moment|te allen tijde|w (?:kazdej chwili|dowolnym momencie)|nar som helst|til enhver tid|milloin tahansa|istedigim zaman|her zaman|kdykoliv?|barmikor|oricand|в любое время|в любои момент)(?= |$)/u;
// Matches `can` before a verb such as `unsubscribe`. A participle does not match: `can call her, unsubscribed`.
const MAY_LEAVE =
  /(?:^| )(?:can|may|able to|kann|kannst|konnen|pu[eo]d\w*|peu[xt]|pouvez|pos\w*|pode\w*|kan|kunna|moge|mozna|mozesz|voin|voi|mohu|lze|pot|poti|могу|можете|можно)(?: \S+){0,4} (?:unsubscribe|opt out|withdraw|revoke|cancel|abmelden|abbestellen|austragen|widerrufen|me desinscrire|vous desinscrire|desabonner|retirer|revoquer|revocar|retirar|darme de baja|disiscriver\w*|cancellar\w*|revocare|descadastrar|cancelar|revogar|uitschrijven|afmelden|intrekken|opzeggen|wypisac|cofnac|wycofac|zrezygnowac|avregistrera|avsluta|aterkalla|avmelde|afmelde|framelde|trekke|peruuttaa|perua|odhlasit|odvolat|leiratkoz\w*|dezabona\w*|retrage|отписаться|отозвать)(?= |$)/u;
/** Matches a word such as `can`. Beside it `revoked` names a right, and no opt-out: `can be revoked`. */
export const MAY_WORDS =
  /(?:^| )(?:can|may|able to|kann|kannst|konnen|pu[eo]d\w*|peu[xt]|pouvez|pos\w*|pode\w*|kan|kunna|moge|mozna|mozesz|voin|voi|mohu|lze|pot|poti|могу|можете|можно)(?= |$)/u;
/** Matches a negation or a request: `do not`, `please`. Beside one, `at any time` states no right to opt out. */
export const STOP_REQUEST_WORDS = /(?:^| )(?:do not|dont|never|no|not|kein\p{L}*|nicht|please|bitte)(?= |$)/u;

/**
 * True for a usual word between a "no" and a word for mail, such as `more`. Any other word there may be part of the
 * name of a newsletter.
 */
export function canStandBetween(word: string): boolean {
  return USUAL_WORD.test(word);
}

/** Like `asksInWords`, but false if the words may be the name of a newsletter: `never stop learning newsletter`. */
export function asksPlainly(text: string, words: string): boolean {
  return asksInWords(text, words) && ASKS_PLAINLY.test(words.replace(SHORT_PLEASE, 'please'));
}

const MAIL_WORDS = wordStartPattern(
  'e_?mail mail newsletter nl(?=_|$) list(?:s|a|e|u|y|ed)?(?=_|$) subscri unsub opt(?:s|ed|ing)?_?(?:in|out)(?=_|$) consent permission gdpr spam junk marketing advert (?:do_)?not_contact(?!ed) no_contact',
  'verteiler werbung einwillig zustimm dsgvo abonn kontakt_unerw post(?=_|$) courriel rgpd sollicit inscri desinscri correo correio boletin publicid suscri iscri consenso pubblicit propagand lijst nieuwsb reclame toestemm',
  'zgod rodo wysyl mejl nyhets nyheds samtyck samtykk utskick (?:joukko)?sahkopost uutiskirj suostum e_?posta bulten izin souhlas рассыл подпис письм почт спам согласи отправ присыл',
);
// Words about mail, lists and consent in Chinese, Japanese, Korean, Hebrew and Arabic.
const MAIL_IN_OTHER_SCRIPTS =
  /メール|メルマガ|配信|購読|邮件|郵件|订阅|訂閱|메일|구독|수신|דואר|דיוור|רשימה|بريد|رسايل|اشتراك/u;

/** Words for "no", "not" and "without", as a pattern. */
export const NEGATIONS =
  'no|not|never|nope|dont|doesnt|without|nix|kein\\w*|nicht|nie|ohne|ne|pas|plus|sans|sin|ya no|non|senza|nao|sem|niet|geen|bez|brak|inte|ikke|ej|ei|ala|alkaa|не|нет|без';
const NEGATION = new RegExp(`(?:^| )(?:${NEGATIONS})(?= |$)`, 'u');
/** Beginnings of verbs that refuse. A cell and a header can have them: `refused`, `Newsletter abgelehnt`. */
export const REFUSING_VERBS = 'refus declin reject ablehn weiger odmaw odmit rechaz rifiut nesouhlas';
// Words that form a refusal together with a "no" before them, such as interest, want, more, thanks and contact.
const WISH =
  'int(?:e|er)?res\\w*|want\\w*|wish\\w*|more|longer|thank\\w*|mehr|danke|quier\\w*|quer|mas|mais|veut|souhait\\w*|plus|piu|vuole|voglio|chce\\w*|will|wil|vill|vil|halua\\w*|kiinnosta|meer|zainteres\\w*|хоч\\p{L}*|интересн\\p{L}*|нужн\\p{L}*|clien\\w*|member|mitglied\\w*|contact|contacts|contacting|kontakt|send\\w*|schick\\w*|write|anschreib\\w*|disturb';

/** Refusals without a word for mail: `no thanks`, `kein Interesse`, `ne veut plus`. */
const UNWILLING = new RegExp(
  `(?:^| )(?:${NEGATIONS})(?: \\S+){0,2} (?:${WISH})(?= |$)|(?:^| )(?:nope|vill inte|vil ikke|wil niets?|will nichts?|mochte nichts|vill inget|vil intet|wants nothing|lost interest|nechce|nema zajem|istemiyor|ilgilenmiyor|uninterested|n ?en veu\\w+ (?:plus|pas)|desinteress\\w*)(?= |$)|興味なし|不感兴趣`,
  'u',
);

/** True if one of the words is about mail, lists or consent. */
export function mentionsMail(words: string): boolean {
  return MAIL_WORDS.test(words) || MAIL_IN_OTHER_SCRIPTS.test(words);
}

/** True if one of the words means no, never or without. */
export function hasNegation(words: string): boolean {
  return NEGATION.test(words);
}

/** True for a refusal without a word for mail: `no thanks`. */
export function isUnwilling(words: string): boolean {
  return UNWILLING.test(words);
}

const REFUSES_MESSAGES = new RegExp(
  `^(?:please )?(?:do not|(?:${NEGATIONS}))(?: (?:more|any|mass|group|further|e|to|d|de|mehr|weiteren?))* (?:${MESSAGE_WORDS})$`,
  'u',
);

/** True for a short refusal of messages that does not use a word such as `mail`: `no blasts`, `keine Angebote`. */
export function refusesMessages(words: string): boolean {
  return REFUSES_MESSAGES.test(words);
}
