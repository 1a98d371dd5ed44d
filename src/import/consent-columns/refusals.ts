import type { StatusReading } from '../../platforms/lib/states.ts';
import { NONE } from '../../platforms/lib/status-words.ts';
import { MESSAGE_WORDS } from './cells/compounds.ts';
import { contradictsItself, mayNameMailings } from './headers/contrary-headers.ts';
import { ADDRESS_PART_WORDS } from './headers/header-words.ts';
import { namesIdentity } from './headers/positive-headers.ts';
import { questionReading } from './several-columns/combine-readings.ts';
import { endsSubscription, isEndedTag, isRefusalInWords } from './words/end-words.ts';
import { hasNegation, mentionsMail, refusesMessages } from './words/phrases.ts';
import { withoutBlanks, wordsOf } from './words/plain-words.ts';
import { isEmptyValue, readYesNo } from './words/value-words.ts';
import { compileWords, wordPattern, wordStartPattern } from './words/word-patterns.ts';

// Refusals that only their header explains: `Kein Versand` under `E-Mail-Versand`, `rather not` under `Answer`.

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
// Words beside a word for sending, by which the header is about something else: the address, the time or the price.
const OTHER_FACT = wordPattern(
  'address adress[eo]? anschrift direccion indirizzo endereco adres dates? datum fecha data times? costs? kosten fee price preis by method methods code id ids nr number note notes status reason information art zip sent delivered received count',
);

// Words for an answer, an interest or a wish.
const ANSWER = wordStartPattern(
  'answer respon[sd] repl(?:y|ies)(?=_|$) interest decision choice wish(?:es)?(?=_|$) preference willing(?:ness)?',
  'antwort ruckmeldung interesse entscheidung wunsch reponse interet decision souhait respuesta interes deseo preferencia risposta scelta antwoord reactie interesse beslissing keuze',
  'odpowiedz zainteresowan decyzja resposta decisao odpoved zajem rozhodnut zaujem svar intresse beslut onsk interesser beslutning vastau kiinnost valasz erdeklod raspuns interes yanit ilgi(?=_|$)',
  'απαντ ενδιαφερ ответ интерес решение відповід',
);
const ANSWER_IN_OTHER_SCRIPTS = /回答|返答|返事|返信|意向|興味|关注|答复|回复|兴趣|응답|답변|관심/u;
const LANGUAGE = /lang|locale|sprache|idioma|lingua|taal|sprak/u;
const MAX_HEADER_WORDS = 5;

/** What a header asks for, if svc also asks about refusals below it that only the header explains. */
type Request = 'mail' | 'sending' | 'answer';

function requestIn(header: string): Request | undefined {
  const words = wordsOf(header);
  if (words.split(' ').length > MAX_HEADER_WORDS || namesIdentity(header)) {
    return undefined;
  }
  if (ANSWER.test(words) || ANSWER_IN_OTHER_SCRIPTS.test(words)) {
    return 'answer';
  }
  const isSending =
    mayNameMailings(header) ||
    NAMES_MESSAGES.test(words) ||
    SENDING.test(words) ||
    SENDING_IN_OTHER_SCRIPTS.test(words);
  const isAboutOther = OTHER_FACT.test(words) || ADDRESS_PART_WORDS.test(words) || LANGUAGE.test(words);
  return !isSending || isAboutOther ? undefined : mentionsMail(words) ? 'mail' : 'sending';
}

/**
 * Makes `stateOf` also ask about a refusal that only the header explains. Undefined under a header that asks for
 * nothing.
 */
export function askAboutRefusals(
  header: string,
  stateOf: (cell: string) => StatusReading,
): ((cell: string) => StatusReading) | undefined {
  const request = requestIn(header);
  if (request === undefined) {
    return undefined;
  }
  const headerWords = wordsOf(header);
  const refuses = (cell: string): boolean => {
    const words = wordsOf(cell);
    return (
      isRefusalInWords(words) ||
      (request !== 'answer' && (refusesMessages(words) || deniesHeader(words, headerWords))) ||
      (request === 'mail' && (isEndedTag(words) || endsSubscription(cell) || isContraryWord(words)))
    );
  };
  return (cell) => {
    const status = stateOf(cell);
    return status === NONE && cell.length <= LONGEST_REFUSAL && refuses(cell) ? questionReading(cell) : status;
  };
}

const LONGEST_REFUSAL = 60;

// True for a single word that is contrary to mail: `withhold`. A plain no can be about anything, or stand for Norway.
function isContraryWord(words: string): boolean {
  return !words.includes(' ') && contradictsItself(words) && readYesNo(words) === undefined && !isEmptyValue(words);
}

// Words for a "no" that `hasNegation` does not know, because they are too common in notes.
const FURTHER_NO =
  /^(?:aucune?|nessun[oa]?|ningun[oa]?|nenhuma?|inget|ingen|inga|nem|nincs|fara|jamais|nunca|mai|nooit|nigdy|aldrig?|nikdy|niemals|utan|uden|uten|zonder|(?:can|wo|did)nt|cannot|sans|degil|yok|οχι|δεν|μην?|χωρις)$/u;
// Words that can stand in such a cell beside the word of the header.
const SMALL_WORD =
  /^(?:do|does|be|is|are|will|to|by|via|per|in|on|for|of|the|a|any|all|more|further|please|yet|bitte|mehr|wird|soll|par|de|d|des|du|la|le|les|el|los|il|di|da|o|os|se|si|te|van|meer|att|med|na|po)$/u;
// Matches a "no" that is a part of the word: `nezasílat`, `undelivered`. What follows must begin like the header.
const NO_IN_WORD = /^(?:ne|un|non|nie|не)(?=\p{L}{4})/u;
// Matches a "no" at an end of the words in Chinese, Japanese and Korean: `配信しない`, `不发送`.
const NO_IN_OTHER_SCRIPTS =
  /^(?:不|无|無|未|勿|禁止?)(?=.{2})|(?:[をはが]|しては?)?(?:し?ない|しません|なし|無し|不要|不可|停止|せず|안함|하지않음|없음|금지|거부)$/u;
const STEM = 4;
// Matches a French or Italian word with the article before it, whose apostrophe is lost: `denvoi`.
const ELISION = /^[dl](?=[aeiouh])/u;

/**
 * True for a cell that denies what its header names: `Kein Versand` under `E-Mail-Versand`, `Do not deliver` under
 * `Deliver mail`, `配信しない` under `メール配信`. Besides the "no" and small words, each word must begin like a part of the
 * header.
 */
function deniesHeader(cellWords: string, headerWords: string): boolean {
  const header = withoutBlanks(headerWords);
  const bare = withoutBlanks(cellWords);
  const affirmed = bare.replace(NO_IN_OTHER_SCRIPTS, '');
  if (affirmed !== bare) {
    return affirmed.length > 1 && header.includes(affirmed);
  }
  const words = cellWords.split(' ').filter((word) => !SMALL_WORD.test(word));
  const others = words.filter((word) => !hasNegation(word) && !FURTHER_NO.test(word));
  const isInHeader = (word: string): boolean =>
    word.length < STEM
      ? ` ${headerWords} `.includes(` ${word} `)
      : header.includes(word.slice(0, STEM)) || (ELISION.test(word) && isInHeader(word.slice(1)));
  const isDeniedInWord = (word: string) =>
    NO_IN_WORD.test(word) && ` ${headerWords}`.includes(` ${word.replace(NO_IN_WORD, '').slice(0, STEM)}`);
  return others.length > 0 && (others.length < words.length ? others.every(isInHeader) : others.every(isDeniedInWord));
}
